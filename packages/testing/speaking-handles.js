// Proxies for handles, so that a test can write `await account.balance()` in place of `await
// call(account, 'balance')`.

/** @import { Simulation } from '#host' */

/**
 * @param {Pick<Simulation, 'call'>} simulation
 * @param {(value: unknown) => boolean} isHandle
 */
export const makeSpeaker = (simulation, isHandle) => {
  /** @type {WeakMap<object, object>} the proxy of a handle */
  const speakers = new WeakMap();

  /** @type {WeakMap<object, object>} the handle of a proxy */
  const handles = new WeakMap();

  /**
   * @param {string | object} target  a vat's name, or a handle
   * @param {object} [handle]  the handle that replaces the proxy in arguments
   */
  const speak = (target, handle = undefined) => {
    const speaker = new Proxy(Object.freeze({}), {
      get(_, method) {
        if (method === Symbol.toPrimitive) return () => '[an object of a vat]';
        // A proxy must not look like a promise, and test runners read symbols and constructors.
        if (
          typeof method !== 'string' ||
          method === 'then' ||
          method === 'constructor' ||
          method === 'toJSON'
        )
          return undefined;
        return async (/** @type {unknown[]} */ ...args) =>
          wrap(await simulation.call(/** @type {any} */ (target), method, args.map(unwrap)));
      },
    });
    if (handle !== undefined) handles.set(speaker, handle);
    return speaker;
  };

  /** @param {object} handle */
  const speakFor = handle => {
    const known = speakers.get(handle);
    if (known !== undefined) return known;
    const made = speak(handle, handle);
    speakers.set(handle, made);
    return made;
  };

  /** @param {unknown} value @param {(value: object) => unknown} replace @returns {unknown} */
  const map = (value, replace) => {
    if (typeof value !== 'object' || value === null) return value;
    const replaced = replace(value);
    if (replaced !== undefined) return replaced;
    if (Array.isArray(value)) return value.map(each => map(each, replace));
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return value;
    if (Symbol.for('passStyle') in value) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, map(each, replace)]),
    );
  };

  /** Replace handles in a vat's answer by proxies. @param {unknown} value */
  const wrap = value => map(value, each => (isHandle(each) ? speakFor(each) : undefined));

  /** Replace proxies in arguments by handles. @param {unknown} value */
  const unwrap = value => map(value, each => handles.get(each));

  return Object.freeze({ speak, wrap, unwrap });
};
