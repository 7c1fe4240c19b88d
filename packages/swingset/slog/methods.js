// The slog's methods that a host program may wrap by its `slogCallbacks`, with the arguments that they have in SwingSet. A
// wrapper gets the method's name, its arguments, and the function that finishes it, in whose place its own one is called.

/** @import { makeEntries } from './entries.js' */

/** @typedef {Record<string, (method: string, args: unknown[], finish: unknown) => any>} SlogCallbacks */

/** Something that is called with the results when it is finished. @typedef {(...results: any[]) => unknown} Finisher */

/**
 * @template {(...args: any[]) => any} F
 * @param {string} name
 * @param {F} method
 * @param {SlogCallbacks} callbacks
 * @returns {F}
 */
const wrap = (name, method, callbacks) => {
  const callback = callbacks[name];
  if (callback === undefined) return method;
  /** @param {...any} args */
  const wrapped = (...args) => {
    const finish = method(...args);
    try {
      const given = callback(name, args, finish);
      if (typeof finish !== 'function') return given;
      /** @param {...any} results */
      return (...results) => {
        try {
          return given(...results);
        } catch (error) {
          console.error(`${name} wrapper finisher failed:`, error);
          return finish(...results);
        }
      };
    } catch (error) {
      console.error(`${name} wrapper failed:`, error);
      return finish;
    }
  };
  return /** @type {F} */ (/** @type {unknown} */ (wrapped));
};

/**
 * @param {ReturnType<typeof makeEntries>} entries
 * @param {SlogCallbacks} callbacks
 */
export const makeSlogMethods = ({ writeSlogObject, begin }, callbacks) => {
  /** An error of the host program's function is no error of the run. @param {Record<string, unknown>} entry */
  const write = entry => {
    try {
      writeSlogObject(entry);
    } catch (error) {
      console.error('WARNING: slogger write error', error);
    }
  };

  /** @param {readonly [string, string]} labels @param {Record<string, unknown>} props @returns {Finisher} */
  const open = (labels, props) => {
    try {
      const finish = begin(labels, props);
      return more => {
        try {
          finish(more);
        } catch (error) {
          console.error('WARNING: slogger write error', error);
        }
      };
    } catch (error) {
      console.error('WARNING: slogger write error', error);
      return () => {};
    }
  };

  const methods = {
    /** @param {string} vatID @param {boolean} dynamic @param {string} description @param {string} name @param {undefined} _bundle @param {string} managerType */
    provideVatSlogger(vatID, dynamic, description, name, _bundle, managerType) {
      write({ type: 'create-vat', vatID, dynamic, description, name, managerType });
    },

    /** @param {string} vatID */
    startup: vatID => open(['vat-startup-start', 'vat-startup-finish'], { vatID }),

    /**
     * @param {string} vatID
     * @param {bigint} crankNum
     * @param {bigint} deliveryNum
     * @param {readonly any[]} kd  in krefs
     * @param {readonly any[]} vd  in vrefs
     * @param {boolean} [replay]
     * @returns {Finisher}
     */
    delivery(vatID, crankNum, deliveryNum, kd, vd, replay = false) {
      const props = { crankNum, vatID, deliveryNum, replay, dispatch: vd[0], kd, vd };
      const finish = open(['deliver', 'deliver-result'], props);
      return dr => finish({ kd: undefined, vd: undefined, dr });
    },

    /**
     * @param {string} vatID
     * @param {readonly any[] | undefined} ksc  in krefs; undefined in a crank that was dropped
     * @param {readonly any[]} vsc  in vrefs
     * @param {Record<string, unknown>} at  `crankNum`, `deliveryNum` and `syscallNum`
     * @returns {Finisher}
     */
    syscall(vatID, ksc, vsc, { crankNum, deliveryNum, syscallNum }) {
      const numbers = { crankNum, vatID, deliveryNum, syscallNum, replay: false };
      const finish = open(['syscall', 'syscall-result'], {
        ...numbers,
        ...{ syscall: vsc[0], ksc, vsc },
      });
      return (ksr, vsr) => finish({ ksc: undefined, vsc: undefined, ksr, vsr });
    },

    /** @param {string} vatID @param {bigint} crankNum @param {'import' | 'export' | 'drop'} mode @param {string} kobj @param {string} vobj */
    changeCList(vatID, crankNum, mode, kobj, vobj) {
      write({ type: 'clist', crankNum, mode, vatID, kobj, vobj });
    },

    /** @param {string} vatID @param {boolean} shouldReject @param {object} info */
    terminateVat(vatID, shouldReject, info) {
      write({ type: 'terminate', vatID, shouldReject, info });
    },
  };
  const unused = Object.keys(callbacks).filter(name => !Object.hasOwn(methods, name));
  if (unused.length > 0) console.warn('Unused methods in slogCallbacks', ...unused.sort());
  const wrapped = /** @type {typeof methods} */ (
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [name, wrap(name, method, callbacks)]),
    )
  );
  return { ...wrapped, write, open };
};
