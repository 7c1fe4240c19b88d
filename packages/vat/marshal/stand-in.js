// A `HandledPromise` for the time in which @endo/pass-style loads (see pass-style.js), and for the libraries of virtual
// data, whose guards wait for promises of vats.

const host = /** @type {Record<string, any>} */ (globalThis);

/** The vats' own `HandledPromise`, once it has been loaded. @type {any} */
let own;

/** @param {any} HandledPromise  of vats: the libraries' sends go through it from now on */
export const lendTo = HandledPromise => {
  own = HandledPromise;
};

/** Passes every use on to the vats' own `HandledPromise`, or to the global one until that is loaded. */
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

/** Defines the stand-in as the global `HandledPromise`, unless there is one. */
export const lendHandledPromise = () => {
  if (host.HandledPromise === undefined) host.HandledPromise = StandIn;
};

/** Restores the global, so that a real `HandledPromise` can still be defined. */
export const returnHandledPromise = () => {
  if (host.HandledPromise === StandIn) delete host.HandledPromise;
};
