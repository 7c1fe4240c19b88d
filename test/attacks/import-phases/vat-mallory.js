import { Far } from '@endo/far';
import { asks, ways } from './ways.js';

const targets = [
  'data:application/wasm;base64,AGFzbQEAAAA=',
  './commons.js',
  './scope-constants.js',
  'ses',
  'node:fs',
  'file:///etc/passwd',
  'file:///no/such/file',
];

export const buildRootObject = () =>
  Far('mallory', {
    async mark() {
      for (const [way, ask] of asks()) {
        for (const target of targets) {
          try {
            const found = await ask(target);
            if (found === undefined) continue;
            Object.getPrototypeOf(found).note = 'a secret that no message carried';
            console.log(`got ${target} by ${way}`);
          } catch (error) {
            // A missing file and one that is there must not differ.
            if (/passwd|such|ERR_/.test(`${error.message} ${error.code}`))
              console.log(`got a word about ${target} by ${way}: ${error.message}`);
          }
        }
      }
      console.log(`${ways().size} ways tried`);
    },
  });
