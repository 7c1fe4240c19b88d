// Makes the observers of cranks that flags ask for: slog, trace, dumps, audits.

import { StopRun } from '#host/session.js';
import { UserError } from '#model';
import { insistDumpTag } from './dump-tag.js';

/** @import { Clock, CrankObserver, Kernel } from '#host' */
/** @import { Flags } from '../cli.js' */

/** @param {Flags} flags */
export const insistWatchFlags = flags => {
  const alone = ['dumpdir', 'dumptag', 'raw'].find(flag => flags[flag] && !flags.dump);
  if (alone !== undefined)
    throw new UserError(`--${alone} says how dumps are written; give --dump too, or leave it out`);
  insistDumpTag(flags.dumptag ?? '');
};

/**
 * @param {Flags} flags
 * @param {object} run
 * @param {string} run.name
 * @param {string} run.outDir
 * @param {boolean} run.resume
 * @param {Clock} run.clock
 * @param {readonly string[]} [run.launchedVats]  of an indirect run; a vat that is made in the run leaves no trace in the
 *   state when it fails
 */
export const watchCranks = async (flags, { name, outDir, resume, clock, launchedVats = [] }) => {
  const { dumpdir = outDir, dumptag = name } = flags;
  /** @type {Kernel | undefined} */
  let kernel;
  /** @type {((kernel: Kernel) => void)[]} called after each crank */
  const after = [];
  // Most runs use none of these, so each module is loaded on demand.
  if (flags.dump) {
    const { makeDumpWriter } = await import('./dump-file.js');
    after.push(makeDumpWriter({ dir: dumpdir, tag: dumptag, raw: Boolean(flags.raw) }));
  }
  if (flags.audit) {
    const { findDifferences } = await import('#observe/dump.js');
    after.push(now => {
      const differences = findDifferences(now);
      if (differences === undefined) return;
      throw new UserError(`the audit after crank ${now.cranks.all} finds:\n${differences}`, {
        exitCode: 1,
      });
    });
  }
  const slog = flags.slog === undefined ? undefined : await openSlog(flags.slog, resume, clock);
  const trace = flags.trace === undefined ? undefined : await openTrace(flags.trace, clock);

  /** @type {CrankObserver[]} */
  const observers = [];
  if (slog !== undefined) observers.push(slog.crankObserver);
  if (trace !== undefined) observers.push(trace.crankObserver);
  if (after.length > 0) {
    observers.push({
      applied: () => {
        if (kernel !== undefined) for (const look of after) look(kernel);
      },
    });
  }
  /** @type {Set<string>} */
  const failedVats = new Set();
  if (launchedVats.length > 0) {
    /** The vat that is at work: once it has ended it has no name. @type {string | undefined} */
    let atWork;
    observers.push({
      begins: ({ vatId }) => {
        atWork = vatId === '' ? undefined : kernel?.vatName(vatId);
      },
      applied: ({ outcome, found }) => {
        const hasFailed = outcome === 'exitWithFailure' || outcome === 'dropped';
        // A vat whose upgrade fails goes on as it was.
        if (!hasFailed || found.step === 'upgrade') return;
        if (atWork !== undefined && launchedVats.includes(atWork)) failedVats.add(atWork);
      },
    });
  }
  const crankObserver = joinObservers(observers);

  return Object.freeze({
    options: {
      ...(crankObserver && { crankObserver }),
      ...(trace && {
        observeReactions: trace.observeReactions,
        observeWorkers: trace.observeWorkers,
      }),
      /** @param {Kernel} made */
      onKernel: made => {
        kernel = made;
        slog?.begin(made);
        trace?.onKernel(made);
      },
    },
    /** Names of an indirect run's vats that have failed. */
    failedVats,
    /** @param {(text: string) => void} [tell]  called with a line that names the trace */
    close(tell) {
      try {
        slog?.close();
      } finally {
        trace?.close();
      }
      if (trace !== undefined)
        tell?.(`the trace is in ${flags.trace}; open it with https://ui.perfetto.dev`);
    },
  });
};

/** @param {string} file @param {boolean} resume @param {Clock} clock */
const openSlog = async (file, resume, clock) => {
  const { openSlogFile } = await import('./slog-file.js');
  return openSlogFile(file, { resume, clock });
};

/** @param {string} file @param {Clock} clock */
const openTrace = async (file, clock) => {
  const { openTraceFile } = await import('./trace-file.js');
  return openTraceFile(file, clock);
};

/**
 * Make one observer that calls all of these, in their order. It is called several times in each crank, so it has only
 * the callbacks that somebody has, and no rest arguments.
 *
 * @param {readonly CrankObserver[]} observers
 * @returns {CrankObserver | undefined}
 */
const joinObservers = observers => {
  if (observers.length === 0) return undefined;
  /** @type {Partial<Record<keyof CrankObserver, ReturnType<typeof joinCallbacks>>>} */
  const joined = {};
  for (const key of /** @type {(keyof CrankObserver)[]} */ (observers.flatMap(Object.keys)))
    joined[key] ??= joinCallbacks(
      observers.flatMap(observer => observer[key]?.bind(observer) ?? []),
    );
  return /** @type {CrankObserver} */ (joined);
};

/** @param {((first?: any, second?: any) => void)[]} callbacks  with at most two arguments */
const joinCallbacks = callbacks => {
  const [only] = callbacks;
  /** @type {typeof only} */
  const callAll = (first, second) => {
    for (const callback of callbacks) callback(first, second);
  };
  const call = callbacks.length === 1 ? only : callAll;
  return (/** @type {any} */ first, /** @type {any} */ second) => {
    try {
      call(first, second);
    } catch (error) {
      // A file that cannot be written, or a failed audit, ends the run.
      throw new StopRun(error);
    }
  };
};
