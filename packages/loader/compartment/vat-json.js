// `JSON` for vats. Newer engines give a reviver the source text of a value as a third argument; Node 20 does not.

const { parse, stringify } = JSON;

const methods = {
  /** @param {string} text @param {(this: any, key: string, value: any) => any} [reviver] */
  parse(text, reviver) {
    if (typeof reviver !== 'function') return parse(text);
    return parse(text, function (key, value) {
      return Reflect.apply(reviver, this, [key, value]);
    });
  },
};

const hidden = { writable: true, enumerable: false, configurable: true };

export const jsonGlobals = {
  JSON: Object.create(Object.prototype, {
    parse: { value: methods.parse, ...hidden },
    stringify: { value: stringify, ...hidden },
    [Symbol.toStringTag]: { value: 'JSON', configurable: true },
  }),
};
