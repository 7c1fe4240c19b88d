// What watches a run crank by crank, if flags ask for it: the slog, dumps, audits.

import { findDifferences } from '#host';
import { UserError } from '#model';
import { insistDumpTag, makeDumpWriter } from './dump-file.js';
import { openSlogFile } from './slog-file.js';

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
 */
export const watchCranks = (flags, { name, outDir, resume, clock }) => {
  const { dumpdir = outDir, dumptag = name } = flags;
  /** @type {Kernel | undefined} */
  let kernel;
  /** @type {((kernel: Kernel) => void)[]} called after each crank */
  const after = [];
  if (flags.dump)
    after.push(makeDumpWriter({ dir: dumpdir, tag: dumptag, raw: Boolean(flags.raw) }));
  if (flags.audit) {
    after.push(now => {
      const differences = findDifferences(now);
      if (differences === undefined) return;
      throw new UserError(`the audit after crank ${now.cranks.all} finds:\n${differences}`, {
        exitCode: 1,
      });
    });
  }
  const slog = flags.slog === undefined ? undefined : openSlogFile(flags.slog, { resume, clock });

  /** @type {CrankObserver | undefined} */
  const crankObserver =
    after.length === 0
      ? slog?.crankObserver
      : {
          ...slog?.crankObserver,
          applied: flight => {
            slog?.crankObserver.applied?.(flight);
            if (kernel !== undefined) for (const look of after) look(kernel);
          },
        };

  return Object.freeze({
    options: {
      ...(crankObserver && { crankObserver }),
      /** @param {Kernel} made */
      onKernel: made => {
        kernel = made;
        slog?.begin(made);
      },
    },
    close() {
      slog?.close();
    },
  });
};
