import { Far } from '@endo/far';
import { promises, reasons } from './reasons.js';

let round = 0;

export const buildRootObject = () =>
  Far('mallory', {
    reject() {
      round += 1;
      for (const makeReason of reasons) {
        for (const [number, makePromise] of promises.entries()) {
          if (number % 3 !== round % 3) continue;
          try {
            makePromise(makeReason());
          } catch {
            // Some cannot be made.
          }
        }
      }
    },
  });
