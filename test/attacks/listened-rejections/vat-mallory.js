import { Far } from '@endo/far';

export const buildRootObject = () => {
  let count = 0;
  const late = [];
  const trap = target =>
    new Proxy(target, {
      get(_, name) {
        count += 1;
        return name === 'stack' || name === 'message' ? 'got' : undefined;
      },
    });
  return Far('mallory', {
    reject() {
      for (const reason of [trap({}), trap(Error('trapped')), trap(() => {})]) {
        const promise = Promise.reject(reason);
        Object.defineProperty(promise, Symbol.for('nodejs.util.inspect.custom'), {
          value: () => {
            count += 1;
          },
        });
        late.push(promise);
      }
    },
    listenLate() {
      for (const promise of late) promise.catch(() => {});
    },
    count: () => count,
  });
};
