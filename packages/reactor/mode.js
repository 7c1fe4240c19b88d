// Modes: one mode of a reactor is active. The parts in the others do not react, and their time stands still.

import { UserError } from '#model';
import { BuiltIns } from './built-in.js';
import { insistContainer, insistUnassembled } from './container.js';
import { insistOptions } from './options.js';

/** @import { Event } from './event.js' */

/** An event of an inactive mode, and its remaining delay. @typedef {{ event: Event, delayNs: number }} Suspended */

const modeOptions = Object.freeze({ initial: 'flag' });

/**
 * A mode of a reactor, made by `this.mode()`. The parts that are made with it react only while it is active. A reaction
 * enters it by its effects `reset` and `history`.
 */
export class Mode {
  /**
   * @param {any} container  a reactor
   * @param {{ initial?: boolean }} [options]  one mode of a reactor is the initial one
   */
  constructor(container, options = undefined) {
    const { initial = false } = insistOptions(options, modeOptions, 'a mode');
    const { node, mode } = insistContainer(container, 'a mode');
    insistUnassembled(node, 'a mode');
    if (mode !== null)
      throw new UserError(`${mode.path}: a mode belongs to a reactor, not to a mode`);
    this.node = node;
    this.initial = initial;
    this.active = false;
    /** Whether it has ever been active. */
    this.started = false;
    this.builtIns = new BuiltIns();
    /** @type {Suspended[]} */
    this.suspended = [];
    /** Enters the mode from its beginning: timers restart, pending events are discarded, states are reset. */
    this.reset = new ModeTransition(this, 'reset');
    /** Enters the mode where it was left. */
    this.history = new ModeTransition(this, 'history');
    node.modes.push(this);
  }

  /** Always throws: `reset` or `history` says how to enter the mode. @throws {UserError} always */
  set() {
    throw new UserError(
      `${this.path} cannot be set itself; enter it by ${this.path}.reset.set() or ${this.path}.history.set(), and name ` +
        'the same among the effects of the reaction',
    );
  }

  /** The name of the mode in error messages: its reactor's path and its field. @returns {string} */
  get path() {
    return this.node.pathOf(this, `mode${this.node.modes.indexOf(this)}`);
  }
}

/** An effect of a reaction: `set` enters the mode at the next microstep. */
export class ModeTransition {
  /**
   * @param {Mode} mode
   * @param {'reset' | 'history'} kind
   */
  constructor(mode, kind) {
    this.mode = mode;
    this.kind = kind;
  }

  get node() {
    return this.mode.node;
  }

  get path() {
    return `${this.mode.path}.${this.kind}`;
  }

  /** The last transition of a tag counts. */
  set() {
    const { node } = this;
    const { region } = node;
    if (region === null || !region.running?.writes.has(this)) {
      throw new UserError(
        `${region?.running?.path ?? node.path} enters ${this.mode.path} by ${this.kind}, which it did not declare; ` +
          `add the mode's ${this.kind} to the effects of the reaction`,
      );
    }
    node.transition = this;
    region.scheduler.enterMode(node);
  }
}
