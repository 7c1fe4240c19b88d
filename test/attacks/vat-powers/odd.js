import { Far } from '@endo/far';

/** Values that no power expects. */
export const makeOdd = () => {
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const endless = {
    toString() {
      throw Error('no text');
    },
    get [Symbol.toPrimitive]() {
      throw Error('no primitive');
    },
  };
  const circle = [];
  circle.push(circle);
  return [
    undefined,
    null,
    NaN,
    -0,
    10n ** 100n,
    'lone \ud800 \u001b[31m\u2028',
    '__proto__',
    'x'.repeat(2_000),
    Symbol('x'),
    Symbol.iterator,
    () => 1,
    {},
    [],
    circle,
    endless,
    Object.create(null),
    new Promise(() => {}),
    Object.create(Promise.prototype, { then: { value: () => Promise.reject(Error('x')) } }),
    revoked.proxy,
    new Proxy(() => {}, {
      get() {
        throw Error('trap');
      },
      getPrototypeOf() {
        throw Error('trap');
      },
      ownKeys: () => 5,
    }),
    Object.create(Error.prototype, { stack: { get: () => endless }, message: { value: endless } }),
    new Date(0),
    new Map([[1, 2]]),
    new Uint8Array(8),
    new ArrayBuffer(8),
    Far('thing', {}),
    JSON.parse('{"@qclass":"slot","index":0}'),
    JSON.parse('{"body":"#\\"$0\\"","slots":["ko1"]}'),
    JSON.parse('{"__proto__":{"then":1}}'),
  ];
};

/** @param {() => unknown} act @param {(text: string) => void} say */
export const attempt = (act, say) => {
  try {
    const value = act();
    if (value instanceof Promise) value.then(undefined, () => {});
    return value;
  } catch (error) {
    let message = '';
    try {
      message = `${error.message}`;
    } catch {
      // It is one of ours.
    }
    if (/Cannot (?:destructure|read properties)|is not a function/.test(message)) say(message);
    return undefined;
  }
};
