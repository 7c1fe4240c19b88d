import { Far } from '@endo/far';

const loot = [];

const sources = [
  () => new TextEncoder().encodeInto(1, 2),
  () => new TextDecoder('no such encoding'),
  () => new TextDecoder().decode(7),
  () => new URL('no url'),
  () => null.x,
  () => new Array(-1),
];

const catchFrom = source => {
  try {
    source();
  } catch (error) {
    return error;
  }
  return undefined;
};

const hook = (error, sites) => {
  loot.push([error, sites]);
  return '';
};

export const buildRootObject = () =>
  Far('mallory', {
    lurk() {
      for (const error of sources.map(catchFrom)) {
        for (
          let each = error?.constructor;
          typeof each === 'function';
          each = Object.getPrototypeOf(each)
        ) {
          Reflect.set(each, 'stackTraceLimit', 100);
          Reflect.set(each, 'prepareStackTrace', hook);
        }
      }
    },
    show() {
      for (const [error] of loot) console.log(`loot: ${error.message} ${error.purse?.spend()}`);
      console.log(`loot in all: ${loot.length}`);
    },
  });
