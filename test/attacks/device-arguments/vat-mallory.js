import { Far } from '@endo/far';

export const buildRootObject = ({ D }) =>
  Far('mallory', {
    attack(device) {
      const odd = [
        'x'.repeat(100_000),
        '\u20ac'.repeat(331),
        'lone \ud800',
        '',
        -0,
        10n,
        null,
        undefined,
        harden({ a: [1n] }),
        Far('thing', {}),
      ];
      for (const value of odd) {
        for (const method of ['keep', 'remove', 'next', 'node', 'hand', 'wake']) {
          try {
            D(device)[method](value, value);
          } catch {
            // It was refused.
          }
        }
      }
    },
  });
