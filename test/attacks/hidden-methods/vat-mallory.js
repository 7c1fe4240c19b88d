import { Far } from '@endo/far';
import { listMethods } from './methods.js';

export const buildRootObject = () =>
  Far('mallory', {
    mark() {
      for (const method of listMethods().values()) Reflect.set(method, 'mallory', 'was here');
    },
  });
