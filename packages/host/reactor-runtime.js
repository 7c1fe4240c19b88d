// The reactors' runtime as vats get it: one for all, hardened, without what needs a clock or a host. It is loaded when
// the first vat imports it.

/** @import { Observer } from '#reactor' */
/** @import { MakeProgram } from '#vat' */

/** The module that a vat imports to have reactors. */
export const reactorModule = 'swingset-runner/reactor';

/**
 * @typedef {object} ReactorRuntime
 * @property {Record<string, unknown>} shim  what the module exports in a vat
 * @property {(observer: Observer | undefined) => MakeProgram} observedBy  for vats whose reactions are told to it
 */

/** @type {Promise<ReactorRuntime> | undefined} */
let loading;

const load = async () => {
  const { forVats, VatReactor, vatClasses } = await import('#reactor');
  // The parts of a reactor can be reached from it, and are shared by all vats.
  harden(vatClasses);
  return Object.freeze({
    shim: harden({ ...forVats }),
    observedBy:
      (/** @type {Observer | undefined} */ observer) =>
      /** @type {MakeProgram} */
      (main, options) =>
        new VatReactor(main, { ...options, ...(observer && { observer }) }),
  });
};

export const loadReactorRuntime = () => {
  loading ??= load();
  return loading;
};
