// A recorded run, once more: the same state at the beginning, the same inputs at the same tags, the same answers. If all is
// determined that should be, every crank is the same; the first that is not is named.

import { rawTables } from '#kernel';
import { compareTags, formatTag, quote, UserError } from '#model';
import { makeMemoryStore } from '#store';
import { loadConfig } from '#config';
import { moveBundle } from '../bundle-shelf.js';
import { readProgram } from '../new-state.js';
import { makeSimulation } from '../simulation.js';
import { compareConfigs, recordedArguments } from './compare-configs.js';
import { makeInstaller } from './install-recording.js';
import { readRecording } from './read-recording.js';
import { makeRecordedAnswers } from './recorded-answers.js';
import { runAlong } from './run-along.js';
import { makeTranscriptWatch } from './transcript-watch.js';

/** @import { CrankObserver, Kernel } from '#kernel' */
/** @import { Store } from '#store' */
/** @import { VatObserver } from '../vats.js' */
/** @import { Recording } from './read-recording.js' */
/** @import { Difference } from './transcript-watch.js' */

/**
 * @typedef {object} ReplayOptions
 * @property {string} [sources]  directory or config file whose sources take the place of the recorded ones
 * @property {string} [demosDir]  where a directory that does not exist is looked for
 * @property {string} [cacheDir]  where compiled sources are kept
 * @property {Partial<VatObserver>} [observer]
 */

/**
 * @typedef {object} Replayed
 * @property {number} cranks  of the recording
 * @property {number} inputs  of the recording
 * @property {string} activityHash  of the recording
 * @property {string[]} changed  what has another source now than in the recording: `vat "alice"`
 * @property {string[]} overruled  what the config of `sources` says otherwise than the recording, beside sources; the
 *   recording's was used: `vat "alice": parameter "rounds" is another in swingset.json`
 * @property {string} [difference]  the first one, where and what; absent if all was as recorded
 */

/**
 * Compares the entries that the run appends to streams with the recording, and does not keep them.
 *
 * @param {(stream: string, bytes: Uint8Array) => void} take
 * @returns {Store}
 */
const makeForgetfulStore = take => {
  const memory = makeMemoryStore();
  return {
    ...memory,
    commit({ puts, appends }) {
      appends?.forEach((bytes, stream) => take(stream, bytes));
      memory.commit({ puts });
    },
  };
};

/**
 * @param {Recording} recording
 * @param {string | undefined} sources
 * @param {string | undefined} demosDir
 */
const loadSources = ({ kernel }, sources, demosDir) => {
  if (sources === undefined) return undefined;
  const indirect = readProgram(kernel).launches !== undefined;
  const argv = recordedArguments(kernel);
  return loadConfig({
    ...{ baseDir: sources, indirect },
    ...(argv !== undefined && { argv }),
    ...(demosDir !== undefined && { demosDir }),
  });
};

/**
 * Differences as they are found. Those of a block come in no order, and the first is the one of the earliest tag.
 *
 * @param {() => Kernel | undefined} kernel  that repeats the run, once it is there
 */
const makeFindings = kernel => {
  /** @type {Difference[]} */
  const all = [];
  const start = { timeNs: 0, microstep: 0 };
  return {
    get any() {
      return all.length > 0;
    },
    /** @param {Difference} difference */
    add: difference => void all.push(difference),
    /** @param {string} text @param {number} rank  as in a Difference */
    addNow: (text, rank) => void all.push({ tag: kernel()?.now ?? start, text, rank }),
    /** @returns {{ difference?: string }} */
    tell() {
      const [first] = all.sort(
        (left, right) => compareTags(left.tag, right.tag) || left.rank - right.rank,
      );
      return first === undefined ? {} : { difference: `at ${formatTag(first.tag)}, ${first.text}` };
    },
  };
};

/**
 * Describes the first difference at the end where no transcript differs.
 *
 * @param {Kernel} kernel
 * @param {Kernel} recorded
 * @param {boolean} hasChanged  some source is another
 * @returns {string | undefined}
 */
const compareEnds = (kernel, recorded, hasChanged) => {
  const statesOf = (/** @type {Kernel} */ each) =>
    new Map(each.vats().map(({ vatId, state }) => [vatId, state]));
  const was = statesOf(recorded);
  const is = statesOf(kernel);
  for (const vatId of new Set([...was.keys(), ...is.keys()])) {
    const [before, now] = [was.get(vatId) ?? 'gone', is.get(vatId) ?? 'gone'];
    if (before !== now) {
      const name = kernel.vatName(vatId) ?? recorded.vatName(vatId);
      return `vat ${name} (${vatId}) is ${now} at the end, in the recording it is ${before}`;
    }
  }
  const hash = kernel.activityHash();
  const recordedHash = recorded.activityHash();
  // (A vat's row names its source.)
  if (hash === recordedHash) return hasChanged ? undefined : compareTables(kernel, recorded);
  return `the vats that still run did the same, and the activity hash is ${hash}, in the recording ${recordedHash}; what differs is in vats that have ended, whose transcripts are not kept, or in the kernel`;
};

/**
 * The kernel's tables, key by key; what the host keeps of its own (bundles, the rounds of a benchmark) is left out.
 *
 * @param {Kernel} kernel
 * @param {Kernel} recorded
 * @returns {string | undefined}
 */
const compareTables = (kernel, recorded) => {
  const tableOf = (/** @type {Kernel} */ { state }) =>
    new Map(rawTables(state).filter(([key]) => !key.startsWith('host.')));
  const was = tableOf(recorded);
  const is = tableOf(kernel);
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    if (was.get(key) !== is.get(key))
      return `the vats did the same, and the kernel's tables differ at the end: key ${quote(key)} ${is.has(key) ? (was.has(key) ? 'has another value' : 'is not in the recording') : 'is only in the recording'}`;
  }
  return undefined;
};

/**
 * @param {Store} store  that holds the recorded run; it is only read
 * @param {ReplayOptions} [options]
 * @returns {Promise<Replayed>}
 * @throws {UserError} there is no recording, it is not whole, it depends on what is not recorded, or the sources are those
 *   of another program
 */
export const replayRecording = async (store, options = {}) => {
  const { sources, demosDir, cacheDir, observer } = options;
  const recording = readRecording(store);
  const { kernel: recorded } = recording;
  const config = loadSources(recording, sources, demosDir);
  const overruled = config === undefined ? [] : compareConfigs(recorded, config);
  const running = new Set(
    recorded.vats().flatMap(({ vatId, state }) => (state === 'running' ? [vatId] : [])),
  );

  /** The one that repeats the run, once it is there. @type {{ kernel?: Kernel }} */
  const repeating = {};
  const findings = makeFindings(() => repeating.kernel);
  const watch = makeTranscriptWatch(recording, findings.add);
  const nameVat = (/** @type {string} */ vatId) => `vat ${recorded.vatName(vatId) ?? vatId}`;
  /** Vats' unexpected questions for the time or dead references, in cranks that are not over: only then are their tags known. */
  const asked = /** @type {Map<string, string>} */ (new Map());
  const answers = makeRecordedAnswers(recording, (vatId, text) => {
    if (!asked.has(vatId)) asked.set(vatId, `${nameVat(vatId)}: ${text}`);
  });
  /** @type {CrankObserver} */
  const crankObserver = {
    applied({ outcome, vatId, fault }) {
      const text = asked.get(vatId);
      if (text !== undefined) findings.addNow(text, 0);
      asked.delete(vatId);
      if (outcome === 'kept' || !running.has(vatId)) return;
      const why = fault === null ? 'by its own exit' : `by a fault: ${fault}`;
      const end = `${nameVat(vatId)}: it ends ${why}; in the recording it goes on`;
      findings.addNow(end, 0);
    },
  };

  /** @type {string[]} */
  const changed = [];
  const simulation = await makeSimulation(undefined, {
    store: makeForgetfulStore(watch.take),
    profile: /** @type {'current' | '2020-09'} */ (recorded.profile.name),
    recording: {
      install: makeInstaller(recorded, config, what => changed.push(what)),
      clock: answers.clock,
      findDead: answers.findDead,
    },
    crankObserver,
    ...(observer && { observer }),
    ...(cacheDir !== undefined && { cacheDir }),
  });
  const { kernel } = simulation;
  repeating.kernel = kernel;
  const { given } = recording;
  const cranks = recorded.cranks.all;
  try {
    const copyBundle = (/** @type {string} */ id) => moveBundle(id, recorded, kernel);
    const stuck = await runAlong(simulation, { given, cranks, copyBundle }, () => findings.any);
    if (stuck !== undefined) findings.addNow(stuck, 3);
  } catch (error) {
    // A vat failed that the run cannot do without. What ran before it in its block was not looked at.
    if (!(error instanceof UserError)) throw error;
    // (A transcript that is damaged throws here again.)
    watch.takeRest(kernel);
    for (const text of asked.values()) findings.addNow(text, 3);
    findings.addNow(error.message, 3);
  } finally {
    await simulation.close();
  }
  if (!findings.any) {
    watch.finish(kernel);
    const left = answers.findLeft();
    if (left !== undefined) findings.addNow(`${nameVat(left.vatId)}: ${left.text}`, 3);
  }
  if (!findings.any) {
    const text = compareEnds(kernel, recorded, changed.length > 0);
    if (text !== undefined) findings.addNow(text, 3);
  }
  const inputs = recorded.inputCount;
  const activityHash = recorded.activityHash();
  return { cranks, inputs, activityHash, changed, overruled, ...findings.tell() };
};
