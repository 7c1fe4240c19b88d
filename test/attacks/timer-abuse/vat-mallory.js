import { E, Far } from '@endo/far';

const methods = [
  'delay',
  'wakeAt',
  'setWakeup',
  'removeWakeup',
  'cancel',
  'repeatAfter',
  'makeRepeater',
  'createRepeater',
  'makeNotifier',
  'notifyAt',
  'getTimerBrand',
  'getCurrentTimestamp',
  'getClock',
  'schedule',
  'wake',
  'poll',
];

const fail = () => {
  throw Error('a handler that fails');
};

const makeValues = brand => [
  10n ** 30n,
  -1n,
  0n,
  1n,
  2 ** 53,
  NaN,
  Infinity,
  -5,
  0.5,
  'tomorrow',
  '',
  null,
  undefined,
  true,
  [],
  {},
  harden({ absValue: 5n, timerBrand: brand }),
  harden({ relValue: 5n, timerBrand: brand }),
  harden({ absValue: -5n, timerBrand: Far('brand of mine', { isMyTimerService: () => true }) }),
  harden({ absValue: 'x', relValue: 5n, timerBrand: brand }),
  Far('fails', { wake: fail }),
  Far('never', { wake: () => new Promise(() => {}) }),
  Far('no method', {}),
  Far('thief', { wake: (...args) => console.log(`woken with ${args.length}`) }),
  Promise.reject(Error('no handler')),
  new Promise(() => {}),
  Symbol.for('x'),
];

export const buildRootObject = () =>
  Far('mallory', {
    async attack(service) {
      const brand = await E(service).getTimerBrand();
      let tried = 0;
      for (const method of methods) {
        for (const first of makeValues(brand)) {
          const second = makeValues(brand)[tried % 27];
          const third = makeValues(brand)[(tried * 7) % 27];
          E(service)
            [method](first, second, third)
            .then(
              made => E(made).schedule(second),
              () => {},
            )
            .catch(() => {});
          tried += 1;
        }
      }
      for (let i = 0; i < 300; i += 1)
        E(service)
          .delay(BigInt(i))
          .catch(() => {});
      return tried;
    },
  });
