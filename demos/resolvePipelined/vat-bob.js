import { Far } from '@endo/far';

export const buildRootObject = () => {
  const thing = Far('thing', {
    second(_promise) {
      console.log('bob: the thing is asked second');
      return 'the second answer';
    },
  });

  return Far('bob', {
    first() {
      console.log('bob: first');
      return thing;
    },
  });
};
