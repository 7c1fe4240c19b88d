// Programs of raw vats.

import { runVats } from './run-vats.js';

export const profiles = /** @type {const} */ (['current', '2020-09']);

/** Asks `raw` for everything that the two forms below can do. */
export const bootstrap = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => {
    const thing = Far('thing', {
      hi: (...said) => { console.log('hi', ...said); return 'thanks'; },
    });
    return Far('bootstrap', {
      async bootstrap({ raw }) {
        const p = E(raw).promise();
        console.log('data', await E(raw).echo([1n, undefined, '#x', NaN], { b: thing, p }));
        const same = await E(raw).give(thing);
        console.log('presence', same === thing);
        await E(raw).refuse('why').catch(error => console.log(error.name, error.message));
        console.log(await E(raw).call(thing));
        console.log('promise', await p);
        return 'done';
      },
    });
  };
`;

export const printed = [
  "bootstrap: data [ [ 1n, undefined, '#x', NaN ], { b: Object [Alleged: thing] { hi: [Function: hi] }, p: Promise {} } ]",
  'bootstrap: presence true',
  'bootstrap: RangeError why',
  'bootstrap: hi from raw',
  'raw: answered thanks',
  'bootstrap: called',
  'bootstrap: promise later',
];

export const caller = (/** @type {string} */ body) => `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => {
    const thing = Far('thing', {
      pretendToBeAThing: from => { console.log('from', from); },
    });
    const tell = async (name, promise) =>
      promise.then(
        value => console.log(name, 'gave', value),
        error => console.log(name, 'failed:', error.message),
      );
    return Far('bootstrap', { async bootstrap(vats, devices) { const { raw } = vats; ${body} } });
  };
`;

/** @param {string} deliver  body of today's dispatch */
export const today = deliver => `
  import { kser, kunser } from '@agoric/kmarshal';
  export default function setup(syscall) {
    return async delivery => {
      if (delivery[0] !== 'message') return;
      const [_, target, { methargs, result }] = delivery;
      const [method, args] = kunser(methargs);
      ${deliver}
    };
  }
`;

/** @param {string} body @param {string} deliver @param {'current' | '2020-09'} profile */
export const converse = (body, deliver, profile) =>
  runVats(
    { raw: today(deliver), bootstrap: caller(body) },
    { profile, creationOptions: { raw: { enableSetup: true } } },
  );
