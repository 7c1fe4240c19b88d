// A `HandledPromise` for the moment in which @endo/pass-style loads; pass-style.js says why.

const host = /** @type {Record<string, any>} */ (globalThis);

/** Hands everything on to the global `HandledPromise` of the time of the call. */
class StandIn {
  /** @param {unknown[]} args */
  constructor(...args) {
    return new host.HandledPromise(...args);
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
  const forward = (...args) => host.HandledPromise[name](...args);
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
