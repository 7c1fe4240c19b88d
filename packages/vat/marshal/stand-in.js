// A `HandledPromise` for the moment in which @endo/pass-style loads (pass-style.js says why), and the libraries of virtual
// data, whose guards wait for promises of vats.

const host = /** @type {Record<string, any>} */ (globalThis);

/** The one that vats have, once it has been loaded. @type {any} */
let own;

/** @param {any} HandledPromise  of vats: what libraries send goes through it from now on */
export const lendTo = HandledPromise => {
  own = HandledPromise;
};

/** Hands everything on to the vats' own `HandledPromise`, or to the global one as long as that is not loaded. */
class StandIn {
  /** @param {unknown[]} args */
  constructor(...args) {
    return new (own ?? host.HandledPromise)(...args);
  }
}

for (const name of [
  'resolve',
  'reject',
  'get',
  'applyMethod',
  'applyMethodSendOnly',
  'applyFunction',
  'applyFunctionSendOnly',
]) {
  /** @param {unknown[]} args */
  const forward = (...args) => (own ?? host.HandledPromise)[name](...args);
  Object.defineProperty(StandIn, name, { value: forward });
}

/** Put the stand-in where nobody has defined a `HandledPromise` yet. */
export const lendHandledPromise = () => {
  if (host.HandledPromise === undefined) host.HandledPromise = StandIn;
};

/** Leave the global as it was found, so that a real `HandledPromise` can still be put there. */
export const returnHandledPromise = () => {
  if (host.HandledPromise === StandIn) delete host.HandledPromise;
};
