// The reactor runtime of vats: shared by all, hardened, without the parts that need a clock or a host. It is loaded
// when the first vat imports it.

/** @import { Observer } from '#reactor' */
/** @import { MakeProgram } from '#vat' */

/** The module that vats import for reactors. */
export const reactorModule = 'swingset-runner/reactor';

/**
 * @typedef {object} ReactorRuntime
 * @property {Record<string, unknown>} shim  the module's exports in a vat
 * @property {(observer: Observer | undefined) => MakeProgram} observedBy  makes the maker of programs whose reactions an
 *   observer gets
 */

/** @type {Promise<ReactorRuntime> | undefined} */
let loading;

const load = async () => {
  const { forVats, VatReactor, vatClasses } = await import('#reactor');
  // The classes are reachable from a reactor, and all vats share them.
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
