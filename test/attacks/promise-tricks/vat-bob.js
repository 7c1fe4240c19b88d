import { Far } from '@endo/far';

let held = [];

export const buildRootObject = () =>
  Far('bob', {
    look(value) {
      return value === undefined ? 'nothing' : 'looked';
    },
    hold(list) {
      held = [...held, list];
    },
    state: () => (Object.isFrozen(Promise.prototype) ? 'whole' : 'broken'),
  });
