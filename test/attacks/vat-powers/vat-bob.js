import { Far } from '@endo/far';

export const buildRootObject = () => {
  const thing = Far('thing', { use: () => 'used' });
  return Far('bob', {
    hello: () => 'hello',
    thing: () => thing,
    never: () => new Promise(() => {}),
    take: given => `${given === thing}`,
  });
};
