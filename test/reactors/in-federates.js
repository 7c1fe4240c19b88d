// A program of the table split: each part in a federate of its own, and a plain host between them, which takes the tags
// in order and carries values. It is what the kernel does for vats, without vats, so a difference here is one of
// `packages/reactor`.

import { compareTags } from '#model';
import { Federate } from 'swingset-runner/reactor';
import { nowAt } from './in-library.js';
import { lineOf, makePart } from './program.js';

/** @typedef {{ timeNs: number, microstep: number }} Tag */
/** @typedef {{ part: string, index: number }} End  an input or output of a part's federate */
/** @typedef {{ from: End, to: End, after: number, physical: boolean }} Link  `after` is -1 if the value comes at once */
/** @typedef {{ tag: Tag, to: End, value: any }} Value */

/**
 * @param {import('./program.js').Program} what
 * @returns {Record<string, string[]>} what each part noted
 */
export const runInFederates = what => {
  /** @type {Record<string, string[]>} */
  const trace = {};
  const { clock: script = [], timeout, maxMicrosteps = 1000 } = what.options;
  /** @type {Tag} */
  let now = { timeNs: 0, microstep: -1 };
  const clock = { nowNs: () => nowAt(script, now.timeNs) };
  /** @type {Map<string, Federate>} */
  const federates = new Map();
  for (const part of Object.keys(what.parts)) {
    const powers = {
      log: (/** @type {any} */ reactor, /** @type {string} */ text) => {
        trace[part] ??= [];
        trace[part].push(lineOf(reactor, text));
      },
    };
    const main = makePart(what, part, null, powers);
    federates.set(part, new Federate(main, { clock, maxMicrosteps }));
  }
  const all = [...federates.values()];
  const links = what.connections.flatMap(wire => linksOf(federates, wire));
  const lastStage = assignStages(federates, links);
  const schedulers = all.map(({ scheduler }) => scheduler);
  if (timeout !== undefined) {
    for (const scheduler of schedulers)
      scheduler.stopTimeNs = /** @type {number} */ (nsOf(timeout));
  }

  /** @type {Value[]} */
  let underWay = [];
  while (schedulers.some(({ hasStopped }) => !hasStopped)) {
    const tags = [...all.map(federate => federate.nextTag()), ...underWay.map(({ tag }) => tag)];
    const [tag] = tags.filter(each => each !== undefined).sort(compareTags);
    if (tag === undefined) {
      // Nothing more is to come: all end a microstep later.
      stopAll(schedulers, { timeNs: now.timeNs, microstep: now.microstep + 1 });
      continue;
    }
    now = { ...tag };
    const arriving = underWay.filter(value => compareTags(value.tag, now) === 0);
    underWay = underWay.filter(value => compareTags(value.tag, now) !== 0);
    /** @type {Set<string>} */
    const begun = new Set();
    const provide = (/** @type {string} */ part) => {
      const federate = /** @type {Federate} */ (federates.get(part));
      if (!begun.has(part)) federate.beginTag(now.timeNs, now.microstep);
      begun.add(part);
      return federate;
    };
    for (const [part, federate] of federates) {
      const next = federate.nextTag();
      if (next !== undefined && compareTags(next, now) === 0) provide(part);
    }
    /** @type {Set<string>} */
    const taken = new Set();
    for (const { to, value } of arriving) {
      const key = `${to.part} ${to.index}`;
      if (taken.has(key)) underWay.push({ tag: later(now, 0), to, value });
      else provide(to.part).setInput(to.index, value);
      taken.add(key);
    }
    for (let stage = 0; stage <= lastStage; stage += 1) {
      for (const part of Object.keys(what.parts).filter(each => begun.has(each))) {
        for (const [output, value] of provide(part).runStage(stage)) {
          for (const { from, to, after, physical } of links) {
            if (from.part !== part || from.index !== output) continue;
            if (physical) {
              const delay = Math.max(0, clock.nowNs() + Math.max(after, 0) - now.timeNs);
              underWay.push({ tag: later(now, delay), to, value });
            } else if (after < 0) {
              provide(to.part).setInput(to.index, value);
            } else {
              underWay.push({ tag: later(now, after), to, value });
            }
          }
        }
      }
    }
    for (const part of begun) provide(part).endTag();
    // A federate that asked for the end asked for the end of all.
    for (const { stopTimeNs, stopMicrostep } of schedulers) {
      stopAll(schedulers, { timeNs: stopTimeNs, microstep: stopMicrostep });
    }
    const [end] = schedulers.map(({ stopTimeNs, stopMicrostep }) => ({
      timeNs: stopTimeNs,
      microstep: stopMicrostep,
    }));
    underWay = underWay.filter(value => compareTags(value.tag, end) <= 0);
  }
  return trace;
};

/** @type {(tag: Tag, delayNs: number) => Tag} */
const later = ({ timeNs, microstep }, delayNs) =>
  delayNs === 0 ? { timeNs, microstep: microstep + 1 } : { timeNs: timeNs + delayNs, microstep: 0 };

/**
 * @param {import('swingset-runner/reactor').Scheduler[]} schedulers
 * @param {Tag} tag  the last one, at the latest
 */
const stopAll = (schedulers, { timeNs, microstep }) => {
  for (const scheduler of schedulers) {
    const isEarlier =
      timeNs < scheduler.stopTimeNs ||
      (timeNs === scheduler.stopTimeNs && microstep < scheduler.stopMicrostep);
    if (!isEarlier) continue;
    scheduler.stopTimeNs = timeNs;
    scheduler.stopMicrostep = microstep;
  }
};

/**
 * Channel by channel, by a naive expansion.
 *
 * @param {Map<string, Federate>} federates
 * @param {import('./program.js').Wire} wire
 * @returns {Link[]}
 */
const linksOf = (federates, { from, to, after, physical = false, repeat = false, interleaved }) => {
  const sources = endsOf(
    federates,
    from,
    'outputs',
    interleaved === 'from' || interleaved === 'both',
  );
  const targets = endsOf(federates, to, 'inputs', interleaved === 'to' || interleaved === 'both');
  return targets.map((target, i) => ({
    from: sources[repeat ? i % sources.length : i],
    to: target,
    after: after === undefined ? -1 : nsOf(after),
    physical,
  }));
};

/**
 * @param {Map<string, Federate>} federates
 * @param {string[]} names
 * @param {'inputs' | 'outputs'} side
 * @param {boolean} inTurn
 * @returns {End[]}
 */
const endsOf = (federates, names, side, inTurn) => {
  const ends = names.flatMap((name, place) => {
    const [part, port] = name.split('.');
    const federate = /** @type {Federate} */ (federates.get(part));
    return federate[side].flatMap((end, index) =>
      end.port === /** @type {any} */ (federate.main)[port]
        ? [{ part, index, place, channel: end.index }]
        : [],
    );
  });
  return inTurn ? ends.sort((a, b) => a.channel - b.channel || a.place - b.place) : ends;
};

/** @param {number | string} duration */
const nsOf = duration => {
  if (typeof duration === 'number') return duration;
  const [count, unit] = duration.split(' ');
  return Number(count) * { ns: 1, us: 1e3, ms: 1e6, s: 1e9 }[/** @type {'ns'} */ (unit)];
};

/**
 * Stages of all outputs; a value at once comes one stage after that of its output.
 *
 * @param {Map<string, Federate>} federates
 * @param {Link[]} links
 * @returns {number} the last stage
 */
const assignStages = (federates, links) => {
  const immediate = links.filter(({ after, physical }) => after < 0 && !physical);
  /** @type {Map<string, number>} by part and input */
  const stages = new Map();
  // Every round makes ways right that cross one border more; a cycle never ends.
  const rounds = immediate.length + 1;
  for (let round = 0; round <= rounds; round += 1) {
    let changed = false;
    for (const [part, federate] of federates) {
      const outputs = federate.setStages(input => stages.get(`${part} ${input}`) ?? 0);
      for (const { from, to } of immediate) {
        if (from.part !== part) continue;
        const key = `${to.part} ${to.index}`;
        const stage = outputs[from.index] + 1;
        if (stage <= (stages.get(key) ?? 0)) continue;
        stages.set(key, stage);
        changed = true;
      }
    }
    if (!changed) return Math.max(0, ...stages.values());
  }
  throw Error('zero-delay cycle between parts');
};
