import { Far } from '@endo/far';
import { listThings } from './things.js';

export const buildRootObject = () =>
  Far('mallory', {
    mark() {
      const before = listThings();
      for (const thing of before.values()) {
        try {
          Reflect.set(thing, 'mallory', 'was here');
          Reflect.defineProperty(thing, 'mallory', { value: 'was here' });
          Reflect.setPrototypeOf(thing, null);
          Reflect.deleteProperty(thing, Reflect.ownKeys(thing)[0]);
          thing['__proto__'] = { mallory: 1 };
          thing.__defineGetter__?.('mallory', () => 'was here');
        } catch {
          // Refused.
        }
      }
      // Only what every vat gets again matters: what a second look finds marked is shared at least within this vat.
      return [...listThings()].filter(([, thing]) => 'mallory' in thing).map(([path]) => path);
    },
  });
