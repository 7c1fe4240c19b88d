// Names a delivery in a word or two for people.

import { methodNameOf } from '#kernel';

/** @param {import('#model').Delivery} delivery */
export const nameDelivery = delivery => {
  switch (delivery[0]) {
    case 'message':
      return `${methodNameOf(delivery[2])}()`;
    case 'startVat':
      return 'its start';
    case 'react':
      return 'its reactions';
    default:
      return delivery[0];
  }
};
