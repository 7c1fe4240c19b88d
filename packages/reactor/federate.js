// A main reactor that a host runs together with others: the host brings values to its inputs, takes those of its
// outputs, and chooses the next tag. So a program can be split, and does the same as in one piece.
//
// At one tag, values may go back and forth between federates. A reaction's stage is the largest number of crossings
// between federates on any path to it; the host runs the stages of a tag in order, and ends the tag after the last.

import { UserError } from '#model';
import { assemble } from './assemble.js';
import { assignLevels, predecessorsOf, visitSources, visitWriters } from './graph.js';
import { settleLevels } from './late-levels.js';
import { start } from './life.js';
import { Outlet } from './outlet.js';
import { Scheduler } from './scheduler.js';

/** @import { Observer } from './observer.js' */
/** @import { Clock } from './system-clock.js' */
/** @import { Slot } from './slot.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Reactor } from './reactor.js' */

/** @type {readonly [number, unknown][]} */
const nothing = Object.freeze([]);

/** Notes that an output was written. */
export class Tap extends Outlet {
  /**
   * @param {import('./node.js').ReactorNode} node
   * @param {End} end
   * @param {End[]} written
   */
  constructor(node, end, written) {
    super(node, null, { delayNs: -1, isPhysical: false });
    this.source = end.port;
    this.sourceIndex = end.index;
    this.end = end;
    this.written = written;
  }

  passOn() {
    const { end } = this;
    if (end.isWritten) return;
    end.isWritten = true;
    this.written.push(end);
  }

  schedule() {}
}

/** A channel of the main reactor. */
export class End {
  /**
   * @param {any} port
   * @param {number} index
   * @param {number} number  its number among all inputs, or all outputs
   */
  constructor(port, index, number) {
    this.port = port;
    this.index = index;
    this.number = number;
    this.stage = 0;
    this.isWritten = false;
  }

  get path() {
    return this.port.channelPath(this.index);
  }

  /** @returns {Slot} */
  get slot() {
    return this.port.slotAt(this.index);
  }
}

/**
 * Makes a function that finds the inputs on which an output depends. What is before a reaction is worked out once, since
 * one reaction may write thousands of channels.
 *
 * @param {readonly End[]} inputs
 * @returns {(output: End) => number[]} ascending
 */
const makeInputsBefore = inputs => {
  const numbers = new Map(inputs.map(({ slot }, i) => [slot, i]));
  /** @type {Map<Reaction, number[]>} */
  const known = new Map();

  /** @param {Set<number>} found @returns {(slot: Slot) => void} */
  const collect = found => slot => {
    const number = numbers.get(slot);
    if (number !== undefined) found.add(number);
  };

  /** @param {Reaction} writer */
  const findBefore = writer => {
    const before = new Set([writer]);
    /** @type {Set<number>} */
    const found = new Set();
    const visitSlot = collect(found);
    // Iteration of a Set includes elements added meanwhile.
    for (const reaction of before)
      predecessorsOf(reaction, earlier => void before.add(earlier), visitSlot);
    return [...found].sort((a, b) => a - b);
  };

  /** @param {Reaction} writer */
  const inputsOf = writer => {
    let found = known.get(writer);
    if (found === undefined) known.set(writer, (found = findBefore(writer)));
    return found;
  };

  return ({ port, index, slot }) => {
    /** @type {Set<number>} */
    const direct = new Set();
    visitSources(slot, collect(direct));
    /** @type {Set<Reaction>} */
    const writers = new Set();
    visitWriters(port, index, writer => void writers.add(writer));
    const lists = [[...direct], ...[...writers].map(inputsOf)].filter(({ length }) => length > 0);
    return lists.length === 1 ? lists[0] : [...new Set(lists.flat())].sort((a, b) => a - b);
  };
};

/** A main reactor that a host runs tag by tag beside others, so that a program can be split. */
export class Federate {
  /** @type {End[]} */
  #written = [];

  /**
   * @param {Reactor} main
   * @param {object} options
   * @param {Clock} options.clock
   * @param {bigint} [options.startTime]
   * @param {number} [options.maxMicrosteps]
   * @param {number} [options.timeNs]  time of its first tag, at which `startup` is present; 0 by default
   * @param {number} [options.microstep]
   * @param {Observer} [options.observer]  called for tags and reactions; the host must call its `ended`
   */
  constructor(
    main,
    { clock, startTime = 0n, maxMicrosteps = Infinity, timeNs = 0, microstep = 0, observer },
  ) {
    const { node } = main;
    if (node.region !== null) throw new UserError(`${node.path} is part of a program already`);
    this.main = main;
    const scheduler = new Scheduler(clock, observer);
    this.scheduler = scheduler;
    scheduler.startTime = startTime;
    scheduler.maxMicrosteps = maxMicrosteps;
    scheduler.timeNs = timeNs;
    scheduler.microstep = microstep - 1;
    assemble(node, scheduler.region);
    /** Channels of the main reactor's inputs, in the order of their declaration. @type {End[]} */
    this.inputs = [];
    /** @type {End[]} */
    this.outputs = [];
    for (const port of node.ports) {
      for (let i = 0; i < port.width; i += 1) {
        const side = port.isInput ? this.inputs : this.outputs;
        const end = new End(port, i, side.length);
        side.push(end);
        if (port.isInput) continue;
        const tap = new Tap(node, end, this.#written);
        // A mutation may reconnect the output, and the tap moves along.
        node.outlets.add(tap);
        const { slot } = end;
        slot.outlets = [...(slot.outlets ?? []), tap];
      }
    }
    /** The largest stage of an input or reaction: the last one of a tag. */
    this.lastStage = 0;
    start(node, false);
    scheduler.wantMicrostep();
  }

  /** The tag of its next event. @returns {{ timeNs: number, microstep: number } | undefined} undefined if it has none */
  nextTag() {
    return this.scheduler.nextTag();
  }

  /**
   * The inputs on which outputs depend without delay, with which the host finds cycles.
   *
   * @returns {number[][]} by output: inputs, ascending
   */
  dependencies() {
    return this.outputs.map(makeInputsBefore(this.inputs));
  }

  /**
   * Computes the stages of all reactions from those of the inputs, at which a value can arrive.
   *
   * @param {(input: number) => number} stageOfInput
   * @returns {number[]} by output: the stage after which its value is known
   */
  setStages(stageOfInput) {
    settleLevels(this.scheduler.region);
    /** @type {Map<Slot, number>} */
    const stages = new Map();
    this.lastStage = 0;
    this.inputs.forEach((end, i) => {
      const stage = stageOfInput(i);
      stages.set(end.slot, stage);
      this.lastStage = Math.max(this.lastStage, stage);
    });
    const reactions = this.main.node.subtree().flatMap(({ reactions: own }) => own);
    // A reaction depends only on reactions of a lower depth.
    for (const reaction of [...reactions].sort((a, b) => a.depth - b.depth)) {
      let stage = 0;
      predecessorsOf(
        reaction,
        before => {
          stage = Math.max(stage, before.stage);
        },
        slot => {
          stage = Math.max(stage, stages.get(slot) ?? 0);
        },
      );
      reaction.stage = stage;
      this.lastStage = Math.max(this.lastStage, stage);
    }
    assignLevels(reactions, this.scheduler.region);
    for (const end of this.outputs) {
      let stage = 0;
      visitSources(end.slot, source => {
        stage = Math.max(stage, stages.get(source) ?? 0);
      });
      visitWriters(end.port, end.index, writer => {
        stage = Math.max(stage, writer.stage);
      });
      end.stage = stage;
    }
    return this.outputs.map(({ stage }) => stage);
  }

  /**
   * Begins a tag: the federate's events at it become present.
   *
   * @param {number} timeNs
   * @param {number} microstep
   * @throws {UserError} there were too many microsteps at this time
   */
  beginTag(timeNs, microstep) {
    this.scheduler.beginTagAt(timeNs, microstep);
  }

  /**
   * Brings a value to an input at the present tag, before its stage runs.
   *
   * @param {number} input
   * @param {unknown} value
   */
  setInput(input, value) {
    const { slot } = this.inputs[input];
    slot.region.write(slot, value);
  }

  /** The stage of what is ready or still to be reported, or Infinity. @returns {number} */
  nextStage() {
    let next = this.scheduler.nextStage();
    const written = this.#written;
    for (let i = 0; i < written.length; i += 1) next = Math.min(next, written[i].stage);
    return next;
  }

  /**
   * Runs what is ready up to a stage.
   *
   * @param {number} stage
   * @returns {readonly [output: number, value: unknown][]} outputs whose value is known now
   */
  runStage(stage) {
    this.scheduler.runReady(stage);
    const written = this.#written;
    if (written.length === 0) return nothing;
    if (written.length === 1 && written[0].stage <= stage) {
      // Nearly always there is only one.
      const end = /** @type {End} */ (written.pop());
      end.isWritten = false;
      // A mutation may have cut the output off since.
      return end.slot.present ? [[end.number, end.slot.value]] : nothing;
    }
    /** @type {[number, unknown][]} */
    const known = [];
    let kept = 0;
    for (const end of written) {
      if (end.stage <= stage) {
        end.isWritten = false;
        if (end.slot.present) known.push([end.number, end.slot.value]);
      } else {
        written[kept] = end;
        kept += 1;
      }
    }
    written.length = kept;
    return known.sort(([a], [b]) => a - b);
  }

  /** Ends the tag: ports become absent, and work that waits for the end of the tag is done. */
  endTag() {
    this.scheduler.endTag();
  }
}
