import { Far } from '@endo/far';
import { listThings } from './things.js';

export const buildRootObject = () =>
  Far('bob', {
    look: () =>
      [...listThings()]
        .filter(([, thing]) => 'mallory' in thing || Object.hasOwn(thing, 'mallory'))
        .map(([path]) => path),
  });
