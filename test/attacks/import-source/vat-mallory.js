import { Far } from '@endo/far';
import { tryAll } from './imports.js';

export const buildRootObject = () =>
  Far('mallory', {
    leave: text =>
      tryAll((what, thing) => {
        if (what !== undefined) console.log(`mallory: ${what}`);
        for (let each = thing; Object(each) === each; each = Object.getPrototypeOf(each))
          Reflect.set(each, 'note', text);
      }),
  });
