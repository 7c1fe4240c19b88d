import { Far } from '@endo/far';
import { collectClasses, collectErrors } from './errors.js';

export const buildRootObject = () =>
  Far('bob', {
    work() {
      try {
        null.x;
      } catch (error) {
        error.purse = 'all of bob’s 100';
        throw error;
      }
    },
    async look() {
      const marked = collectClasses(await collectErrors()).filter(thing => thing.mallory);
      return marked.length === 0 ? 'nothing' : `${marked.length} marks`;
    },
  });
