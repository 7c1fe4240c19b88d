// Watches the lines that the vats of a simulation print and the errors that leave them: each error is told once, to whom it
// concerns, and not while a vat is replayed, which has said everything before.

import { CriticalVatError, VatStartError, WiringError } from '#kernel';
import { showInLine, UserError } from '#model';
import { describeErrorBriefly, reportError } from '#loader/compartment';
import { installRejectionPolicy } from '#loader';
import { parseError } from './rejection.js';
import { SentErrors } from './sent-errors.js';
import { WorkBoard } from './work-board.js';

/** @import { ErrorReport } from '#loader/compartment/index.js' */
/** @import { Running } from './local-transport.js' */
/** @import { VatObserver } from './vats.js' */

/** The most vats whose last error is kept, and the most characters that its text may have. */
const mostKept = 100;
const longestKept = 10_000;

/**
 * @param {Partial<VatObserver>} given  what the host program wants to be told; it never throws
 * @param {boolean} isReplaying  whether the vats are to be replayed first
 */
export const watchVats = (given, isReplaying) => {
  let isLive = !isReplaying;
  /** Calls of observers that are kept back, in order; undefined: none is. @type {(() => void)[] | undefined} */
  let kept;

  /** @param {() => void} act  shows something */
  const show = act => {
    if (!isLive) return;
    if (kept === undefined) act();
    else kept.push(act);
  };

  /** Errors that were told of. @type {WeakSet<object>} */
  const told = new WeakSet();
  const sent = new SentErrors();
  /** The last error of each vat, by its name. @type {Map<string, ErrorReport>} */
  const lastErrors = new Map();
  /** @type {Running} */
  const running = {
    ...{ vatName: undefined, delivery: undefined, cranks: 0 },
    board: new WorkBoard(),
  };

  /**
   * Whether something that was thrown is told of for the first time.
   *
   * @param {unknown} error
   */
  const isNew = error => {
    if (typeof error !== 'object' || error === null) return true;
    if (told.has(error)) return false;
    told.add(error);
    return true;
  };

  /** Vats choose how long their texts are, and those made in the run have names of any number. @param {string} vatName @param {ErrorReport} report */
  const keepLast = (vatName, report) => {
    lastErrors.delete(vatName);
    if (report.message.length > longestKept) return;
    lastErrors.set(vatName, report);
    if (lastErrors.size > mostKept) lastErrors.delete(String(lastErrors.keys().next().value));
  };

  /** @param {string} vatName @param {ErrorReport} report */
  const tell = (vatName, report) => {
    keepLast(vatName, report);
    show(() => given.onVatError?.(vatName, report));
  };

  const hooks = Object.freeze({
    /** @type {VatObserver['onConsole']} */
    onConsole: (vatName, level, text) => show(() => given.onConsole?.(vatName, level, text)),

    // It is told while a vat is replayed, too.
    ...(given.onTestLog !== undefined && {
      onTestLog: (/** @type {string} */ vatName, /** @type {string} */ text) => {
        if (kept === undefined) given.onTestLog?.(vatName, text);
        else kept.push(() => given.onTestLog?.(vatName, text));
      },
    }),

    /**
     * The report is made whether anybody listens or not, and in a replay too: an engine lets go of what an error's stack
     * holds when the stack is read, and which objects are gone is something that a vat may see.
     *
     * @param {string} vatName
     * @param {unknown} error
     * @param {string} [errorId]  under which others are told of it
     */
    onVatError: (vatName, error, errorId) => {
      const isFirst = isNew(error);
      if (!isFirst && errorId === undefined) return;
      const report = reportError(error);
      sent.note(report, errorId);
      if (isFirst) tell(vatName, report);
    },
  });

  const stop = installRejectionPolicy(reason => {
    const { vatName } = running;
    if (vatName === undefined) return false;
    if (!isNew(reason)) return true;
    const report = reportError(reason);
    // A rejection that came from another vat was told of there.
    if (report.isOfVat) tell(vatName, report);
    else if (typeof reason === 'object' && reason !== null) told.delete(reason);
    return true;
  });

  /** @param {VatStartError} error */
  const explainStart = error => {
    const { vatName, problem } = error;
    const made = lastErrors.get(vatName);
    const isIts = made !== undefined && (made.told ?? made).message === problem;
    const why =
      isIts && made.name !== 'UserError' ? describeErrorBriefly(made) : showInLine(problem);
    return new UserError(`vat ${vatName} did not start: ${why}`, { exitCode: 1, cause: error });
  };

  return Object.freeze({
    /** Takes the output and errors of vats and devices, with the name of whose they are. */
    hooks,

    /** The vat whose crank runs. */
    running,

    /** Finds the report of an error that left a vat of late. */
    findReport: sent.find,

    /** Whether an error of such a text left a vat that could not pass a value. */
    isExplained: sent.isExplained,

    /**
     * Tell nothing of what vats do meanwhile.
     *
     * @template T
     * @param {() => Promise<T>} act
     */
    async mute(act) {
      isLive = false;
      try {
        return await act();
      } finally {
        isLive = true;
      }
    },

    /** Keep back what vats show from now on. */
    keepBack() {
      kept = [];
    },

    /** Show everything as it comes again. @returns {readonly (() => void)[]} what was kept back; each shows a part of it */
    takeKept() {
      const taken = kept ?? [];
      kept = undefined;
      return taken;
    },

    /** From now on no vat is replayed. */
    goLive() {
      isLive = true;
    },

    /** Whether what vats do is done for the first time. */
    isLive: () => isLive,

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
        const why = showInLine(
          parsed === undefined ? info.body : `${parsed.name}: ${parsed.message}`,
        );
        return new UserError(
          `the critical vat ${vatName} ended, which ends the run at its last block: ${why}`,
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
