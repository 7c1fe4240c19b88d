import { Far } from '@endo/far';
import { listMethods } from './methods.js';

export const buildRootObject = () =>
  Far('bob', {
    look: () =>
      harden([...listMethods()].filter(([, method]) => method.mallory).map(([path]) => path)),
  });
