import { E, Far, passStyleOf } from '@endo/far';

const faults = (list, round) => {
  const found = [];
  if (passStyleOf(list) !== 'copyArray' || list[2].b !== 2n) found.push('data');
  try {
    null.x;
  } catch (error) {
    if (!(error instanceof TypeError) || Object.getPrototypeOf(error) !== TypeError.prototype)
      found.push('error');
  }
  if (!Object.isFrozen(harden({ a: {} }).a)) found.push('harden');
  if (new URL('http://a.b/?c=d').searchParams.get('c') !== 'd') found.push('url');
  if (new Compartment().evaluate('1 + 1') !== 2) found.push('compartment');
  if (passStyleOf(Far(`thing ${round}`, { m: () => 5 })) !== 'remotable') found.push('remotable');
  return found;
};

export const buildRootObject = () =>
  Far('bob', {
    noise: () => {},
    async check(list, round) {
      const found = faults(list, round);
      if ((await E(Far('own', { m: () => 5 })).m()) !== 5) found.push('send');
      return found.join() || 'whole';
    },
  });
