// Repeats a recorded run: with the same initial state, the same inputs at the same tags, and the same answers. If the
// run is deterministic, every crank is equal; the first one that differs is named.

import { rawTables } from '#kernel';
import { compareTags, formatTag, insistOptions, quote, UserError } from '#model';
import { makeMemoryStore } from '#store';
import { loadConfig } from '#config';
import { moveBundle } from '../vats/bundle-shelf.js';
import { readProgram } from '../state/new-state.js';
import { insistMethods } from '../insist.js';
import { makeSimulation } from '../simulation.js';
import { compareConfigs, recordedArguments } from './compare-configs.js';
import { makeInstaller } from './install-recording.js';
import { readRecording } from './read-recording.js';
import { makeRecordedAnswers } from './recorded-answers.js';
import { runAlong } from './run-along.js';
import { makeTranscriptWatch } from './transcript-watch.js';

/** @import { CrankObserver, Kernel } from '#kernel' */
/** @import { OptionRule } from '#model' */
/** @import { Store } from '#store' */
/** @import { VatObserver } from '../vats/vats.js' */
/** @import { Recording } from './read-recording.js' */
/** @import { Difference } from './transcript-watch.js' */

/**
 * @typedef {object} ReplayOptions
 * @property {string} [sources]  directory or config file whose sources replace the recorded ones
 * @property {string} [demosDir]  a directory that does not exist is searched here
 * @property {string} [cacheDir]  folder of compiled sources
 * @property {Partial<VatObserver>} [observer]
 */

/** @type {Readonly<Record<keyof ReplayOptions, OptionRule>>} */
const optionRules = Object.freeze({
  sources: 'string',
  demosDir: 'string',
  cacheDir: 'string',
  observer: 'object',
});

/**
 * @typedef {object} Replayed
 * @property {number} cranks  of the recording
 * @property {number} inputs  of the recording
 * @property {string} activityHash  of the recording
 * @property {string[]} changed  the parts whose source differs from the recording: `vat "alice"`
 * @property {string[]} overruled  other differences between the config of `sources` and the recorded one, which was
 *   used: `vat "alice": parameter "rounds" is another in swingset.json`
 * @property {string} [difference]  the first difference and its place; absent if the runs are equal
 */

/**
 * Make a store that gives the entries appended to streams to a callback, and does not keep them.
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
 * Collect differences. Those of a block come in any order; the first is the one with the earliest tag.
 *
 * @param {() => Kernel | undefined} kernel  the kernel of the repeated run
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
 * Describe the first difference of the final states, if no transcript differs.
 *
 * @param {Kernel} kernel
 * @param {Kernel} recorded
 * @param {boolean} hasChanged  whether a source differs
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
  // The row of a vat names its source, so tables of changed sources differ.
  if (hash === recordedHash) return hasChanged ? undefined : compareTables(kernel, recorded);
  return `the vats that still run did the same, and the activity hash is ${hash}, in the recording ${recordedHash}; what differs is in vats that have ended, whose transcripts are not kept, or in the kernel`;
};

/**
 * Compare the kernel's tables key by key, without the host's own values (bundles, rounds of a benchmark).
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
 * @throws {TypeError} if it is given no store, or an option is unknown or has the wrong type
 * @throws {UserError} if there is no recording, it is incomplete, it depends on unrecorded facts, or the sources are of
 *   another program
 */
export const replayRecording = async (store, options = {}) => {
  insistMethods('the store of replayRecording()', store, ['get', 'entries'], 'an opened store');
  insistOptions('replayRecording()', options, optionRules);
  const { sources, demosDir, cacheDir, observer } = options;
  const recording = readRecording(store);
  const { kernel: recorded } = recording;
  const config = loadSources(recording, sources, demosDir);
  const overruled = config === undefined ? [] : compareConfigs(recorded, config);
  const running = new Set(
    recorded.vats().flatMap(({ vatId, state }) => (state === 'running' ? [vatId] : [])),
  );

  /** The kernel of the repeated run, once it is made. @type {{ kernel?: Kernel }} */
  const repeating = {};
  const findings = makeFindings(() => repeating.kernel);
  const watch = makeTranscriptWatch(recording, findings.add);
  const nameVat = (/** @type {string} */ vatId) => `vat ${recorded.vatName(vatId) ?? vatId}`;
  const goesOn = (/** @type {string} */ vatId) => repeating.kernel?.state.vats.isRunning(vatId);
  /** Unexpected questions of vats in the present crank; their tags are known when it is over. */
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
      // A vat also goes on after a crank in which its upgrade failed.
      if (outcome === 'kept' || !running.has(vatId) || goesOn(vatId)) return;
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
    // A critical vat failed. The cranks before it in its block were not compared yet.
    if (!(error instanceof UserError)) throw error;
    // A damaged transcript throws here again.
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
