import { E, Far } from '@endo/far';

class Marked extends function returnIt(object) {
  return object;
} {
  #mark = true;

  static has(object) {
    return #mark in object;
  }
}

/** Leave a mark. @returns {boolean} whether there was none */
const mark = object => {
  if (Marked.has(object)) return false;
  new Marked(object);
  return true;
};

const weakMap = new WeakMap();
const weakSet = new WeakSet();
const inner = new Compartment().evaluate('new WeakMap()');

export const buildRootObject = ({ D }) => {
  let missed = {};
  const note = (what, isMissed) => {
    if (isMissed) missed[what] = (missed[what] ?? 0) + 1;
  };
  const churn = () => {
    const heap = [];
    for (let i = 0; i < 4_000; i += 1) heap.push({ i, list: [i, [i]] });
    return heap.length;
  };
  const look = (what, object) => {
    note(what, mark(object));
    note(`E of ${what}`, mark(E(object)));
    note(`prototype of ${what}`, mark(Object.getPrototypeOf(object)));
    // The others are keys of nothing, so that they are retired as well.
    if (what === 'thing') return;
    note(`${what} in map`, !weakMap.has(object));
    weakMap.set(object, what);
    note(`${what} in inner map`, !inner.has(object));
    inner.set(object, what);
    note(`${what} in set`, !weakSet.has(object));
    weakSet.add(object);
  };
  return Far('mallory', {
    take(what, object) {
      churn();
      if (what === 'device') {
        for (const name of ['a', 'b', 'a']) {
          look('device', object);
          look('node', D(object).node(name));
        }
        return;
      }
      look(what, what === 'promise' ? object[0] : object);
    },
    give() {
      const own = Far('own', {});
      look('given', own);
      return own;
    },
    count(isNotYet) {
      churn();
      if (isNotYet !== undefined) return undefined;
      const text = JSON.stringify(missed);
      missed = {};
      return text;
    },
  });
};
