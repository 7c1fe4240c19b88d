import { Far } from '@endo/far';
import { collectClasses, collectErrors } from './errors.js';

const loot = [];

export const buildRootObject = () =>
  Far('mallory', {
    async lurk() {
      for (const thing of collectClasses(await collectErrors())) {
        Reflect.set(thing, 'mallory', 'was here');
        Reflect.set(thing, 'stackTraceLimit', 100);
        Reflect.set(thing, 'prepareStackTrace', (error, sites) => {
          loot.push(`${error.purse ?? error.message} at ${sites.length} places`);
          return '';
        });
      }
    },
    report: () => harden([...loot]),
  });
