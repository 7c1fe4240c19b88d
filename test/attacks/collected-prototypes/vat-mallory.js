import { Far } from '@endo/far';

const seen = new WeakSet();

/** Leaves a mark on an object without changing it, which is gone with it. */
class Marked extends function returnIt(object) {
  return object;
} {
  #mark = true;

  static has(object) {
    return #mark in object;
  }
}

const prototypeOf = i => Object.getPrototypeOf(Far(`interface ${i}`, { f() {} }));
const indices = Array.from({ length: 200 }, (_, i) => i);

export const buildRootObject = () =>
  Far('mallory', {
    keep() {
      for (const i of indices) {
        seen.add(prototypeOf(i));
        try {
          new Marked(prototypeOf(i));
        } catch {
          // Newer engines refuse that for frozen objects.
        }
      }
    },
    count() {
      const heap = [];
      for (let i = 0; i < 300_000; i += 1) heap.push({ i, list: [i] });
      const keys = indices.filter(i => seen.has(prototypeOf(i))).length;
      return `${keys} by key, ${indices.filter(i => Marked.has(prototypeOf(i))).length} by mark`;
    },
  });
