// Handles as a test writes them: `await account.balance()` in place of `await call(account, 'balance')`.

/** @import { Simulation } from '#host' */

/**
 * @param {Pick<Simulation, 'call'>} simulation
 * @param {(value: unknown) => boolean} isHandle
 */
export const makeSpeaker = (simulation, isHandle) => {
  /** @type {WeakMap<object, object>} what speaks for a handle */
  const speakers = new WeakMap();

  /** @type {WeakMap<object, object>} the handle that it speaks for */
  const handles = new WeakMap();

  /**
   * @param {string | object} target  a vat's name, or a handle
   * @param {object} [handle]  what it is as an argument
   */
  const speak = (target, handle = undefined) => {
    const speaker = new Proxy(Object.freeze({}), {
      get(_, method) {
        // It is no promise, whoever asks; test runners look at symbols and constructors.
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

  /** A vat's answer, with objects that can be spoken to in place of handles. @param {unknown} value */
  const wrap = value => map(value, each => (isHandle(each) ? speakFor(each) : undefined));

  /** Arguments with handles in place of objects that can be spoken to. @param {unknown} value */
  const unwrap = value => map(value, each => handles.get(each));

  return Object.freeze({ speak, wrap, unwrap });
};
