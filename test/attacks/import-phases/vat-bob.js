import { Far } from '@endo/far';
import { asks } from './ways.js';

const wasm = 'data:application/wasm;base64,AGFzbQEAAAA=';

export const buildRootObject = () =>
  Far('bob', {
    async look() {
      let note;
      for (const ask of asks().values()) {
        try {
          note ??= Object.getPrototypeOf(await ask(wasm)).note;
        } catch {
          // Refused.
        }
      }
      console.log('found', note);
    },
  });
