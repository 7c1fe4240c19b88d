// Draws each event, a reaction or a crank, twice: by logical time, in which it takes none, and by physical time, with
// its duration.
//
// In logical time everything at an instant happens at once. To be visible, each microstep is drawn a microsecond wide,
// or narrower if the next instant comes sooner, and its events one after the other in the order in which they ran. So
// an instant is written when the next one is known.

import { formatExactDuration, formatTag, insistArgument } from '#model';
import { makeTraceWriter, wantedWriter } from './writer.js';

/** @import { Flows } from './flows.js' */
/** @import { Counter, Track, TraceWriter } from './writer.js' */

/**
 * @typedef {object} Happening
 * @property {string} track  the reactor or vat
 * @property {string} name
 * @property {number} startNs  physical, since the start of the run
 * @property {number} endNs
 * @property {Record<string, unknown>} [args]  shown on a click
 * @property {Flows} [flows]  arrows that begin and end at it
 */

/** The largest width of a microstep in logical time. */
const slotNs = 1_000;

/** Events of one instant that are buffered. If there are more, the instant is written in parts of full width. */
const longestInstant = 4_096;

/**
 * Make the timelines of a trace, logical and physical, to which cranks and reactions are added.
 *
 * @param {((text: string) => void) | TraceWriter} target  called with pieces of a file of trace events, in order; or a writer
 *   of another format
 * @returns methods that write: `tag`, `record`, `aside` and `count`; `close` ends the last tag
 * @throws {TypeError} for anything else
 */
export const makeTimelines = target => {
  if (typeof target !== 'function')
    insistArgument('a trace', target, { process: 'function', close: 'function' }, wantedWriter);
  const writer = typeof target === 'function' ? makeTraceWriter(target) : target;
  const logical = makeTracks(writer.process('logical time'));
  const physicalProcess = writer.process('physical time');
  const physical = makeTracks(physicalProcess);
  /** @type {Map<string, { curve: Counter, value: number }>} */
  const counters = new Map();

  let timeNs = 0;
  let microstep = -1;
  /** Events of the present instant that are not written yet. @type {{ microstep: number, done: Happening[] }[]} */
  let steps = [];
  let count = 0;
  /** The earliest position of the next microstep in logical time. */
  let cursorNs = 0;
  /** Start and end of the present tag in physical time; the end is -1 if nothing has run yet. */
  let tagStartNs = 0;
  let tagEndNs = -1;
  /** End of the tag before. */
  let lastEndNs = -Infinity;

  /** @param {number} roomNs  time until the next instant */
  const writeInstant = roomNs => {
    const startNs = Math.max(timeNs, cursorNs);
    const widthNs = Math.min(slotNs, Math.max(timeNs + roomNs - startNs, 0) / steps.length);
    steps.forEach(({ microstep: step, done }, i) => {
      const stepNs = startNs + i * widthNs;
      logical('tags').slice(nameTag(timeNs, step), stepNs, widthNs);
      const partNs = widthNs / Math.max(done.length, 1);
      done.forEach(({ track, name, args, flows }, k) => {
        logical(track).slice(name, stepNs + k * partNs, partNs, args, numberFlows(flows, 0));
      });
    });
    cursorNs = startNs + steps.length * widthNs;
    steps = [];
    count = 0;
  };

  /** Write the tag's slice in physical time. */
  const writeTag = () => {
    if (tagEndNs < 0) return;
    physical('tags').slice(nameTag(timeNs, microstep), tagStartNs, tagEndNs - tagStartNs);
    lastEndNs = tagEndNs;
    tagEndNs = -1;
  };

  /** Write a part of a long instant, since an instant may last as long as the run. */
  const writeLongInstant = () => {
    if (count >= longestInstant) writeInstant(Infinity);
  };

  return {
    /**
     * Set the tag of the following events.
     *
     * @param {number} nextNs
     * @param {number} nextMicrostep
     */
    tag(nextNs, nextMicrostep) {
      writeTag();
      if (nextNs !== timeNs && steps.length > 0) writeInstant(nextNs - timeNs);
      else writeLongInstant();
      timeNs = nextNs;
      microstep = nextMicrostep;
      steps.push({ microstep, done: [] });
      count += 1;
    },

    /** Add an event at the present tag. @param {Happening} happening */
    record(happening) {
      const { track, name, startNs, endNs, args, flows } = happening;
      writeLongInstant();
      if (steps.length === 0) steps.push({ microstep, done: [] });
      // A crank on another thread may have begun before the tag in front ended; slices of a track must not overlap.
      if (tagEndNs < 0) tagStartNs = Math.max(startNs, lastEndNs);
      tagEndNs = Math.max(tagEndNs, endNs, tagStartNs);
      const withTag = { tag: formatTag({ timeNs, microstep }), ...args };
      physical(track).slice(name, startNs, endNs - startNs, withTag, numberFlows(flows, 1));
      steps[steps.length - 1].done.push({ ...happening, args: withTag });
      count += 1;
    },

    /** Add an event without a logical time. @param {Happening} happening */
    aside({ track, name, startNs, endNs, args }) {
      physical(track).slice(name, startNs, endNs - startNs, args);
    },

    /**
     * Add a value of a counter in physical time; only changes are written.
     *
     * @param {string} name
     * @param {string} unit
     * @param {number} atNs
     * @param {number} value
     */
    count(name, unit, atNs, value) {
      let counter = counters.get(name);
      if (counter === undefined) {
        counter = { curve: physicalProcess.counter(name, unit), value: NaN };
        counters.set(name, counter);
      }
      if (counter.value === value) return;
      counter.value = value;
      counter.curve.set(atNs, value);
    },

    /** Write the buffered rest at the end of the run. */
    close() {
      writeTag();
      if (steps.length > 0) writeInstant(Infinity);
      writer.close();
    },
  };
};

/**
 * Number the arrows differently in logical and in physical time.
 *
 * @param {Flows | undefined} flows
 * @param {0 | 1} which
 */
const numberFlows = (flows, which) =>
  flows && { out: flows.out.map(n => 2 * n + which), in: flows.in.map(n => 2 * n + which) };

/**
 * @param {number} timeNs
 * @param {number} microstep
 */
const nameTag = (timeNs, microstep) => {
  const time = formatExactDuration(timeNs);
  return microstep === 0 ? time : `${time}, microstep ${microstep}`;
};

/**
 * Make the function that finds or makes the tracks of a process by name; the track of the tags is the first.
 *
 * @param {{ track: (name: string) => Track }} process
 * @returns {(name: string) => Track}
 */
const makeTracks = process => {
  const tracks = new Map([['tags', process.track('tags')]]);
  return name => {
    let track = tracks.get(name);
    if (track === undefined) {
      track = process.track(name);
      tracks.set(name, track);
    }
    return track;
  };
};
