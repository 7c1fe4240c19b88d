import { Far } from '@endo/far';
import { listReachable } from './errors.js';

export const buildRootObject = () =>
  Far('bob', {
    read: () =>
      listReachable()
        .map(each => each.note)
        .find(note => note !== undefined) ?? 'nothing',
  });
