// The life of reactors and modes: startup, timers, shutdown, and changes of mode.

import { Timer } from './timer.js';
import { isActive } from './outlet.js';
import { Watchdog } from './watchdog.js';

/** @import { ReactorNode } from './node.js' */
/** @import { Mode } from './mode.js' */
/** @import { BuiltIn } from './built-in.js' */
/** @import { Scheduler } from './scheduler.js' */
/** @import { Region } from './region.js' */
/** @import { Slot } from './slot.js' */

/** @typedef {'reset' | 'history'} Kind */

/**
 * Starts reactors: startup, timers, initial modes.
 *
 * @param {ReactorNode} node  started with all that it contains
 * @param {boolean} now  whether at the present tag; otherwise at the next
 */
export const start = (node, now) => activateNode(node, 'history', now);

/**
 * @param {ReactorNode} node
 * @param {Kind} kind
 * @param {boolean} now
 */
const activateNode = (node, kind, now) => {
  const region = /** @type {Region} */ (node.region);
  const { started } = node;
  node.started = true;
  activateContents(node, null, kind, started, now);
  let current = node.modes.find(mode => mode.active);
  if (node.modes.length > 0 && (current === undefined || kind === 'reset')) {
    if (current !== undefined) current.active = false;
    current = /** @type {Mode} */ (node.modes.find(mode => mode.initial));
  }
  if (current !== undefined) activateMode(current, kind, now);
  for (const { builtIns } of [node, ...node.modes]) {
    if (builtIns.shutdown !== null) region.scheduler.endings.add(builtIns.shutdown);
  }
};

/**
 * @param {Mode} mode
 * @param {Kind} kind
 * @param {boolean} now
 */
const activateMode = (mode, kind, now) => {
  const { started } = mode;
  mode.active = true;
  mode.started = true;
  activateContents(mode.node, mode, kind, started, now);
};

/**
 * Activates the parts directly in a reactor or in one of its modes, and the reactors there.
 *
 * @param {ReactorNode} node
 * @param {Mode | null} mode
 * @param {Kind} kind
 * @param {boolean} started  whether it was started before
 * @param {boolean} now
 */
const activateContents = (node, mode, kind, started, now) => {
  const { scheduler } = /** @type {Region} */ (node.region);
  const { builtIns } = mode ?? node;
  const isReset = kind === 'reset';
  if (isReset) for (const state of node.states) if (state.mode === mode) state.reset();
  if (!started || isReset) {
    for (const trigger of node.triggers) {
      if (trigger instanceof Timer && trigger.mode === mode) startTimer(trigger, scheduler, now);
    }
  }
  if (mode !== null && mode.suspended.length > 0) {
    const { suspended } = mode;
    mode.suspended = [];
    for (const { event, delayNs } of suspended) {
      if (isReset) scheduler.forget(event);
      else scheduler.putEvent(event, delayNs);
    }
  }
  if (!started && builtIns.startup !== null) fire(builtIns.startup.slot, now);
  if (isReset && builtIns.reset !== null) fire(builtIns.reset.slot, now);
  for (const child of node.children) if (child.mode === mode) activateNode(child, kind, now);
};

/**
 * @param {Timer} timer
 * @param {Scheduler} scheduler
 * @param {boolean} now
 */
const startTimer = (timer, scheduler, now) => {
  if (!now || timer.offsetNs > 0) {
    scheduler.scheduleTimer(timer, timer.offsetNs);
    return;
  }
  fire(timer.slot, true);
  if (timer.periodNs > 0) scheduler.scheduleTimer(timer, timer.periodNs);
};

/**
 * @param {Slot} slot
 * @param {boolean} now
 */
const fire = (slot, now) => {
  if (now) slot.region.write(slot, undefined);
  else slot.region.scheduler.schedule(slot, 0, undefined);
};

/**
 * @param {BuiltIn} builtIn  a shutdown: if it was ever started, its reactions become ready, even in an inactive mode
 */
export const shutDown = builtIn => {
  const { slot, node } = builtIn;
  if (!node.started) return;
  for (let mode = builtIn.mode ?? node.enclosing; mode !== null; mode = mode.node.enclosing) {
    if (!mode.started) return;
  }
  slot.region.write(slot, undefined);
  for (const reaction of slot.readers) if (!reaction.queued) slot.region.ready.push(reaction);
};

/**
 * Carries out transitions at the end of a tag; they take effect at the next microstep.
 *
 * @param {ReactorNode[]} nodes  those with a transition
 * @param {Scheduler} scheduler
 */
export const enterModes = (nodes, scheduler) => {
  /** Modes that are entered by a reset. @type {Set<Mode>} */
  const fresh = new Set();
  /** @type {ReactorNode[]} */
  const changed = [];
  // From the outermost inwards: a reactor in a mode that is entered by a reset goes to its own initial mode, whatever
  // transition it asked for. Those at one depth do not contain each other, so their events are discarded in one go.
  for (const level of byDepth(nodes)) {
    const entered = level.filter(node => {
      const { transition } = node;
      return transition !== null && !node.isRemoved && !liesIn(node.enclosing, fresh);
    });
    /** @type {Set<Mode>} */
    const resets = new Set();
    for (const { modes, transition } of entered) {
      for (const other of modes) other.active = false;
      if (transition?.kind === 'reset') resets.add(transition.mode);
    }
    if (resets.size > 0) forget(resets, scheduler);
    for (const mode of resets) fresh.add(mode);
    for (const { transition } of entered) {
      const { mode, kind } = /** @type {import('./mode.js').ModeTransition} */ (transition);
      activateMode(mode, kind, false);
    }
    for (const node of level) node.transition = null;
    changed.push(...entered);
  }
  /** Slots of inactive modes. @type {Set<Slot>} */
  const left = new Set();
  for (const node of changed) {
    for (const inner of node.subtree()) {
      for (const slot of inner.eventSlots()) if (!isActive(modeOf(slot))) left.add(slot);
      for (const reaction of inner.reactions) {
        reaction.active = isActive(reaction.mode ?? inner.enclosing);
      }
    }
  }
  suspend(left, scheduler);
};

/**
 * Reactors by their depth, the outermost first.
 *
 * @param {ReactorNode[]} nodes
 */
const byDepth = nodes => {
  /** @type {ReactorNode[][]} */
  const levels = [];
  for (const node of nodes) (levels[depthOf(node)] ??= []).push(node);
  return levels.filter(level => level !== undefined);
};

/** @param {ReactorNode} node */
const depthOf = node => {
  let depth = 0;
  for (let { parent } = node; parent !== null; parent = parent.parent) depth += 1;
  return depth;
};

/**
 * Whether a mode is one of `modes`, or within one of them.
 *
 * @param {Mode | null} mode
 * @param {Set<Mode>} modes
 */
const liesIn = (mode, modes) => {
  for (let m = mode; m !== null; m = m.node.enclosing) if (modes.has(m)) return true;
  return false;
};

/**
 * Discards the events of modes that are entered by a reset. What waits in such a mode itself is discarded when it is
 * activated.
 *
 * @param {Set<Mode>} modes  none within another
 * @param {Scheduler} scheduler
 */
const forget = (modes, scheduler) => {
  /** @type {Set<Slot>} */
  const slots = new Set();
  for (const mode of modes) {
    for (const inner of mode.node.subtree()) {
      for (const slot of inner.eventSlots()) if (liesIn(modeOf(slot), modes)) slots.add(slot);
      for (const m of inner.modes) {
        if (modes.has(m) || !liesIn(m, modes)) continue;
        for (const { event } of m.suspended) scheduler.forget(event);
        m.suspended = [];
      }
    }
  }
  for (const event of scheduler.takeEvents(slots)) scheduler.forget(event);
};

/**
 * The innermost mode around what has the events of a slot.
 *
 * @param {Slot} slot
 * @returns {Mode | null}
 */
const modeOf = ({ owner }) => owner.mode ?? owner.node.enclosing;

/**
 * Suspends events of inactive modes.
 *
 * @param {ReadonlySet<Slot>} slots
 * @param {Scheduler} scheduler
 */
const suspend = (slots, scheduler) => {
  for (const event of scheduler.takeEvents(slots)) {
    const slot = /** @type {Slot} */ (event.slot);
    if (slot.owner instanceof Watchdog) {
      // Physical time does not stand still, so a watchdog is stopped when its mode is left.
      scheduler.forget(event);
      continue;
    }
    event.isSuspended = true;
    const mode = /** @type {Mode} */ (modeOf(slot));
    mode.suspended.push({ event, delayNs: event.timeNs - scheduler.timeNs });
  }
};
