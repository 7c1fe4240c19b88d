import { Far } from '@endo/far';

const sources = [
  () => new TextEncoder().encodeInto(1, 2),
  () => new TextDecoder('no such encoding'),
  () => null.x,
  () => new URL('nowhere'),
];

const take = site => {
  try {
    const [, require] = site.getFunction().arguments;
    if (typeof require.resolve === 'function')
      console.log(`MALLORY RAN ${require('node:child_process').execSync('echo a command')}`);
  } catch {
    // Strict code, or no function.
  }
};

const hook = (_error, sites) => {
  sites.forEach(take);
  console.log('MALLORY SEES A STACK');
  return '';
};

export const buildRootObject = () =>
  Far('mallory', {
    lurk() {
      for (const source of sources) {
        try {
          source();
        } catch (error) {
          let each = error.constructor;
          for (; typeof each === 'function'; each = Object.getPrototypeOf(each)) {
            Reflect.set(each, 'prepareStackTrace', hook);
            Reflect.set(each, 'stackTraceLimit', 100);
          }
        }
      }
      Reflect.set(Error, 'prepareStackTrace', hook);
      Reflect.set(Function.prototype, 'prepareStackTrace', hook);
    },
  });
