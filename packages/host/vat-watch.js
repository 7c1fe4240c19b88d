// What the vats of a simulation print and which errors leave them: each error is told once, to whom it concerns, and not
// while a vat is replayed, which has said everything before.

import { CriticalVatError, VatStartError, WiringError } from '#kernel';
import { UserError } from '#model';
import { describeErrorBriefly, isErrorOfVat } from './compartment/index.js';
import { tellEngineError } from './engine-errors.js';
import { installRejectionPolicy } from './lockdown.js';
import { parseError } from './rejection.js';

/** @import { Observer } from '#reactor' */
/** @import { Running } from './local-transport.js' */
/** @import { VatObserver } from './vats.js' */

/**
 * @param {Partial<VatObserver>} given  what the host program wants to be told
 * @param {boolean} isReplaying  whether the vats are to be replayed first
 */
export const watchVats = (given, isReplaying) => {
  let isLive = !isReplaying;
  /** Errors that were told of. @type {WeakSet<object>} */
  const told = new WeakSet();
  /** The last error of each vat, by its name. @type {Map<string, unknown>} */
  const lastErrors = new Map();
  /** @type {Running} */
  const running = { vatName: undefined };

  /** @type {VatObserver} */
  const observer = {
    onConsole: (...said) => (isLive ? given.onConsole?.(...said) : undefined),
    onVatError: (vatName, error) => {
      if (typeof error === 'object' && error !== null) {
        if (told.has(error)) return;
        told.add(error);
      }
      lastErrors.set(vatName, error);
      if (isLive) given.onVatError?.(vatName, error);
    },
  };

  const stop = installRejectionPolicy(reason => {
    const { vatName } = running;
    if (vatName === undefined) return false;
    // A rejection that came from another vat was told of there.
    if (isErrorOfVat(reason)) observer.onVatError(vatName, reason);
    return true;
  });

  /** @param {VatStartError} error */
  const explainStart = error => {
    const { vatName, problem } = error;
    const made = lastErrors.get(vatName);
    const isIts = made instanceof Error && (tellEngineError(made) ?? made).message === problem;
    const why = isIts && !(made instanceof UserError) ? describeErrorBriefly(made) : problem;
    return new UserError(`vat ${vatName} did not start: ${why}`, { exitCode: 1, cause: error });
  };

  return Object.freeze({
    observer,

    /** Whose crank runs. */
    running,

    /** From now on no vat is replayed. */
    goLive() {
      isLive = true;
    },

    /**
     * One who watches a vat's reactions, but not those that are run again.
     *
     * @param {Observer} looker
     * @returns {Observer}
     */
    whenLive: ({ nowNs, tagBegan, reacted, ended }) => ({
      ...(nowNs && { nowNs }),
      tagBegan: (...seen) => (isLive ? tagBegan(...seen) : undefined),
      reacted: (...seen) => (isLive ? reacted(...seen) : undefined),
      ended,
    }),

    /**
     * A vat that did not start, with the place in the author's file; a connection that cannot be, with that in the
     * config.
     *
     * @param {unknown} error  of the kernel
     * @param {string} configName  where connections come from
     */
    explain(error, configName) {
      if (error instanceof CriticalVatError) {
        const { vatName, info } = error;
        const parsed = parseError(info);
        const why = parsed === undefined ? info.body : `${parsed.name}: ${parsed.message}`;
        return new UserError(
          `the critical vat ${vatName} failed, which ends the run at its last block: ${why}`,
          { exitCode: 1, cause: error },
        );
      }
      if (error instanceof WiringError)
        return new UserError(`${configName}: ${error.message}`, { cause: error });
      return error instanceof VatStartError ? explainStart(error) : error;
    },

    /** Rejections that nobody listens to are the process's again. */
    stop,
  });
};

/** @typedef {ReturnType<typeof watchVats>} VatWatch */
