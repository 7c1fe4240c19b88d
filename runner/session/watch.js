// What watches a run crank by crank, if flags ask for it: the slog, dumps, audits.

import { closeSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dumpKernel, dumpRaw, findDifferences, makeSlog } from '#host';
import { quote, UserError } from '#model';

/** @import { CrankObserver, Kernel } from '#host' */
/** @import { Flags } from '../cli.js' */

/**
 * @param {string} file
 * @param {boolean} resume  what is there is added to
 */
const openSlog = (file, resume) => {
  try {
    return openSync(file, resume ? 'a' : 'w');
  } catch (error) {
    throw new UserError(`--slog cannot be written: ${/** @type {Error} */ (error).message}`);
  }
};

/**
 * A full disk, say, is no bug of ours.
 *
 * @param {string} flag
 * @param {string | number} to  a path, or an open file, to whose end it is added
 * @param {string} text
 */
const write = (flag, to, text) => {
  try {
    writeFileSync(to, text);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new UserError(`--${flag} cannot be written: ${message}`, { exitCode: 1 });
  }
};

/** @param {string} dir */
const provideFolder = dir => {
  try {
    mkdirSync(dir, { recursive: true });
    if (!statSync(dir).isDirectory()) throw Error(`${quote(dir)} is no directory`);
  } catch (error) {
    throw new UserError(`--dumpdir cannot be used: ${/** @type {Error} */ (error).message}`);
  }
};

/**
 * @param {Flags} flags
 * @param {string} name  of the run
 * @param {string} outDir
 * @param {boolean} resume
 */
export const watchCranks = (flags, name, outDir, resume) => {
  const { dumpdir = outDir, dumptag = name } = flags;
  if (/[/\\]/.test(dumptag)) {
    throw new UserError(
      `--dumptag is a part of a file's name, got ${quote(dumptag)}; choose the directory with --dumpdir`,
    );
  }
  const alone = ['dumpdir', 'dumptag', 'raw'].find(flag => flags[flag] && !flags.dump);
  if (alone !== undefined)
    throw new UserError(`--${alone} says how dumps are written; give --dump too, or leave it out`);
  /** @type {Kernel | undefined} */
  let kernel;
  /** @type {((kernel: Kernel) => void)[]} called after each crank */
  const after = [];
  if (flags.dump) {
    provideFolder(dumpdir);
    after.push(now => {
      const number = String(now.cranks.all).padStart(7, '0');
      write(
        'dump',
        join(dumpdir, `dump.${dumptag}${number}`),
        (flags.raw ? dumpRaw : dumpKernel)(now),
      );
    });
  }
  if (flags.audit) {
    after.push(now => {
      const differences = findDifferences(now);
      if (differences === undefined) return;
      throw new UserError(`the audit after crank ${now.cranks.all} finds:\n${differences}`, {
        exitCode: 1,
      });
    });
  }
  const fd = flags.slog === undefined ? undefined : openSlog(flags.slog, resume);
  const slog = fd === undefined ? undefined : makeSlog({ write: text => write('slog', fd, text) });

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
      try {
        slog?.flush();
      } finally {
        if (fd !== undefined) closeSync(fd);
      }
    },
  });
};
