import { Far } from '@endo/far';
import { listReachable } from './errors.js';

export const buildRootObject = () =>
  Far('mallory', {
    leave(text) {
      for (const each of listReachable()) {
        Reflect.set(each, 'note', text);
        if (Reflect.set(each, 'toString', () => 'MALLORY RUNS IN THE HOST')) continue;
        Reflect.defineProperty(each, Symbol.toPrimitive, {
          value: () => 'MALLORY RUNS IN THE HOST',
        });
      }
    },
  });
