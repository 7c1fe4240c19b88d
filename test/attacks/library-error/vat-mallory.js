import { Far } from '@endo/far';
import * as endoMarshal from '@endo/marshal';
import * as passStyle from '@endo/pass-style';

const loot = [];

const names = ['Error', 'TypeError', 'RangeError', 'AggregateError', 'SuppressedError'];

const hook = error => {
  loot.push(error);
  return '';
};

const text = harden(Error('\u001b]0;owned\u0007\u001b[2J\nswingset-runner: forged'));

/** @param {() => unknown} act */
const attempt = act => {
  try {
    act();
  } catch {
    // It is refused.
  }
};

export const buildRootObject = () =>
  Far('mallory', {
    lurk() {
      let hooked = 0;
      for (const { getErrorConstructor } of [endoMarshal, passStyle]) {
        for (const name of names) {
          const found = getErrorConstructor(name);
          if (found === undefined) continue;
          Reflect.set(found, 'stackTraceLimit', 100);
          Reflect.set(found, 'prepareStackTrace', hook);
          if (found !== globalThis[name] || found.stackTraceLimit === 100) hooked += 1;
        }
      }
      console.log(`classes that have hooks: ${hooked}`);
    },
    print() {
      const { makeMarshal, makeTagged, passableAsJustin, qp } = endoMarshal;
      attempt(() => makeMarshal().toCapData(text));
      attempt(() => passableAsJustin(text));
      attempt(() => qp(text));
      const valueShape = harden(makeTagged('match:and', text));
      attempt(() => VatData.makeScalarBigMapStore('prints', { valueShape }));
    },
    show() {
      for (const error of loot) console.log(`loot: ${error.message} ${error.purse?.spend()}`);
      console.log(`loot in all: ${loot.length}`);
    },
  });
