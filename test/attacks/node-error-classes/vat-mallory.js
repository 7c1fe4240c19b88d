import { Far } from '@endo/far';
import { listReachable } from './errors.js';

const runInHost = () => 'MALLORY RUNS IN THE HOST';

/** Some setters of hardened objects throw. */
const attempt = act => {
  try {
    act();
  } catch {
    // Refused.
  }
};

export const buildRootObject = () =>
  Far('mallory', {
    leave(text) {
      for (const each of listReachable()) {
        attempt(() => Reflect.set(each, 'note', text));
        attempt(() => Reflect.set(each, 'toString', runInHost));
        attempt(() => Reflect.defineProperty(each, 'note', { value: text }));
        attempt(() => Reflect.defineProperty(each, Symbol.toPrimitive, { value: runInHost }));
      }
    },
  });
