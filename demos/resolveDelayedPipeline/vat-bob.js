import { Far } from '@endo/far';

export const buildRootObject = () => {
  const thing = Far('thing', {
    answer() {
      console.log('bob: the thing is asked');
      return 'here I am';
    },
  });

  return Far('bob', {
    getThing() {
      console.log('bob: giving away the thing');
      return thing;
    },
  });
};
