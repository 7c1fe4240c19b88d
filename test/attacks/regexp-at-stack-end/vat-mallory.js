import { Far } from '@endo/far';

let made = 0;
const pattern = () => {
  made += 1;
  return `a|${made}`;
};
const deepPattern = () => {
  made += 1;
  return `${'(?:x|'.repeat(40)}a|${made}${')+'.repeat(40)}`;
};
const { prototype } = RegExp;
/** The language lets the methods search by themselves, without `exec`. */
const withoutExec = (text, flags) =>
  Object.defineProperty(RegExp(text, flags), 'exec', { value: undefined });
class Splitter extends RegExp {
  get exec() {
    return undefined;
  }
}
class Caller extends RegExp {
  exec(text) {
    return super.exec(text);
  }
}

const ways = [
  () => RegExp(pattern()).exec('xa'),
  () => RegExp(pattern()).test('xa'),
  () => RegExp(deepPattern(), 'u').test('xa'),
  () => withoutExec(pattern()).test('xa'),
  () => 'xa'.match(RegExp(pattern())),
  () => 'xa'.match(pattern()),
  () => prototype[Symbol.match].call(withoutExec(pattern(), 'g'), 'xa'),
  () => 'xa'.replace(RegExp(pattern(), 'g'), () => 'y'),
  () => 'xa'.replaceAll(RegExp(pattern(), 'g'), 'y'),
  () => prototype[Symbol.replace].call(withoutExec(pattern(), 'g'), 'xa', 'y'),
  () => 'xa'.search(pattern()),
  () => prototype[Symbol.search].call(withoutExec(pattern()), 'xa'),
  () => 'xab'.split(RegExp(pattern())),
  () => 'xab'.split(new Splitter(pattern())),
  () => [...'xab'.matchAll(pattern())],
  () => [...'xab'.matchAll(new Splitter(pattern(), 'g'))],
  () => new Caller(pattern()).test('xa'),
];

export const buildRootObject = () =>
  Far('mallory', {
    count: () => ways.length,
    search(way) {
      const op = ways[way];
      const dive = depth => (depth > 0 ? dive(depth - 1) : op());
      // Compiled, since an interpreted function takes so much of the stack that none is left within it.
      for (let i = 0; i < 1000; i += 1) dive(10);
      // The depth at which a search fails, to the last call.
      let works = 0;
      let fails = 32_768;
      while (fails - works > 1) {
        const middle = (works + fails) >> 1;
        try {
          dive(middle);
          works = middle;
        } catch {
          fails = middle;
        }
      }
      for (let depth = works - 20; depth < works + 600; depth += 9) {
        try {
          dive(depth);
        } catch {
          // The end of the stack.
        }
      }
    },
  });
