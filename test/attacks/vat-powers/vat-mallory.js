import { Far } from '@endo/far';
import { attempt, makeOdd } from './odd.js';

export const buildRootObject = (powers, parameters) => {
  const say = text => console.log(`the engine says ${text}`);
  const names = [
    ...new Set([
      ...Reflect.ownKeys(powers),
      ...['testLog', 'transformTildot', 'makeMarshal', 'Remotable', 'getInterfaceOf'],
      ...['makeGetMeter', 'transformMetering', 'disavow', 'vatParameters', 'D'],
    ]),
  ].filter(name => !/^exitVat/.test(String(name)));
  const attack = bob => {
    const odd = [...makeOdd(), bob, parameters, powers];
    for (const name of names) {
      const power = powers[name];
      if (typeof power !== 'function') continue;
      for (const value of odd) {
        const made = attempt(
          () => power(value, value, value),
          () => {},
        );
        attempt(
          () => new power(value),
          () => {},
        );
        attempt(
          () => Reflect.apply(power, value, [value, harden([value])]),
          () => {},
        );
        if (made !== null && typeof made === 'object') {
          for (const key of Reflect.ownKeys(made)) {
            if (typeof made[key] !== 'function') continue;
            for (const inner of odd.slice(0, 12))
              attempt(
                () => made[key](inner, inner),
                () => {},
              );
          }
        }
      }
      attempt(
        () => power(),
        () => {},
      );
      attempt(
        () => {
          powers[name] = 5;
        },
        () => {},
      );
      attempt(
        () => Object.assign(power, { x: 1 }),
        () => {},
      );
    }
    attempt(() => powers.testLog('from', 'mallory', 1n, { a: 1 }), say);
    const { makeMarshal } = powers;
    if (makeMarshal) {
      for (const value of odd) {
        const hostile = () => {
          throw Error('hostile');
        };
        for (const give of [() => value, hostile]) {
          const m = attempt(
            () => makeMarshal(give, give, value),
            () => {},
          );
          if (!m) continue;
          for (const key of Object.keys(m))
            for (const inner of odd.slice(10))
              attempt(
                () => m[key](inner, inner),
                () => {},
              );
          for (const body of [
            '',
            '#',
            '#"$0"',
            '{"@qclass":"slot","index":9}',
            '{"@qclass":"ibid","index":0}',
            '['.repeat(500),
            '{"@qclass":"bigint","digits":"1e9"}',
            '#{"#tag":"x"}',
            '{"@qclass":"error","name":"__proto__","message":5}',
          ])
            for (const slots of [[], ['a'], [value], undefined, { length: 1e9 }])
              for (const key of ['unserialize', 'fromCapData'])
                attempt(
                  () => m[key]?.({ body, slots }),
                  () => {},
                );
        }
      }
    }
    const { transformTildot } = powers;
    if (transformTildot) {
      for (const text of [
        'x~.y()',
        'x~.',
        '~.'.repeat(500),
        '('.repeat(2000),
        'x~.y('.repeat(200),
        '`${x~.y}`',
        '/*',
        'import("x")~.y()',
        '\ud800~.x()',
        'x~.[1](2)',
        'a?.b~.c()',
      ])
        console.log(
          `${
            String(
              attempt(
                () => transformTildot(text),
                () => {},
              ),
            ).length
          }`,
        );
    }
    return names.map(String).sort().join();
  };
  return Far('mallory', { attack: (number, bob) => attack(bob) });
};
