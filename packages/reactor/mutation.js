// Changes while a program runs: reactors and connections are made and deleted by reactions.
//
// A mutation comes before all reactions of what its reactor contains, so whatever it changes is changed before anything
// of that runs at the tag: it may do everything. An ordinary reaction may come after some of them. It may make reactors,
// connect what it made (and its own effects), and delete a contained reactor, which then ends at the next microstep.

import { UserError } from '#model';
import { assemble, bindOutlet } from './assemble.js';
import { Connection, applyConnection } from './connect.js';
import { assignLevels } from './graph.js';
import { shutDown, start } from './life.js';
import { Channel } from './multiport.js';
import { describe } from './node.js';
import { isActive } from './outlet.js';
import { cut, destinationsIn, originOf, rewire } from './rewiring.js';

/** @import { ReactorNode } from './node.js' */
/** @import { Mode } from './mode.js' */
/** @import { ConnectOptions } from './connect.js' */
/** @import { AnyPort } from './port.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Region } from './region.js' */

/**
 * The reaction that runs in a reactor, for what only a reaction may do.
 *
 * @param {ReactorNode} node
 * @param {string} what
 */
const insistRunning = (node, what) => {
  const region = /** @type {Region} */ (node.region);
  const { running } = region;
  if (running === null || running.node !== node) {
    throw new UserError(
      `${node.path}: ${what} while it runs, but not by a reaction of its own; a reaction or mutation of it may`,
    );
  }
  return running;
};

/**
 * A reactor is being made in one that runs. It is assembled when its constructor has returned: at the next change, or
 * when the reaction returns.
 *
 * @param {ReactorNode} node
 * @param {ReactorNode} parent
 */
export const expectBirth = (node, parent) => {
  insistRunning(parent, 'a reactor was made in it');
  const region = /** @type {Region} */ (parent.region);
  region.birth ??= { unborn: [], newborn: [] };
  region.birth.unborn.push(node);
};

/**
 * Assemble and start what was made.
 *
 * @param {Region} region
 */
export const giveBirth = region => {
  const { birth } = region;
  if (birth === null) return;
  const nodes = birth.unborn;
  birth.unborn = [];
  for (const node of nodes) {
    assemble(node, region);
    // In a mode that is not active it starts when that is entered.
    if (isActive(node.enclosing)) start(node, true);
    if (region.scheduler.isLastTag()) endSubtree(node);
    birth.newborn.push(node);
  }
};

/**
 * The reaction has returned: what it made is now like everything else.
 *
 * @param {Region} region
 */
export const endReaction = region => {
  giveBirth(region);
  region.birth = null;
};

/**
 * @param {ReactorNode} node
 * @param {Mode | null} mode
 * @param {any} from
 * @param {any} to
 * @param {ConnectOptions} options
 */
export const connectRunning = (node, mode, from, to, options) => {
  const running = insistRunning(node, 'a connection was made in it');
  const region = /** @type {Region} */ (node.region);
  giveBirth(region);
  const connection = new Connection(node, mode, from, to, options);
  const known = node.outlets.length;
  /** @type {[AnyPort, number][]} */
  const targets = [];
  applyConnection(connection, (port, index) => void targets.push([port, index]));
  for (const [port] of targets) {
    const isNew = port.node !== node && region.birth?.newborn.includes(port.node);
    if (
      running.isMutation
        ? port.node !== node || running.writes.has(port)
        : isNew || running.writes.has(port)
    ) {
      continue;
    }
    for (const [done, index] of targets) done.setFrom(index, null, 0);
    node.outlets.length = known;
    const remedy =
      port.node === node ? 'add it to the effects of the reaction' : 'make it a mutation';
    throw new UserError(
      `${running.path} connects to ${port.path}, whose readers may have run at this tag already; ${remedy}`,
    );
  }
  /** @type {Set<Reaction>} */
  const changed = new Set();
  const outlets = node.outlets.slice(known);
  for (const [port, index] of targets) rewire(port, index, changed);
  for (const outlet of outlets) {
    bindOutlet(outlet);
    const source = /** @type {AnyPort} */ (outlet.source).slotAt(outlet.sourceIndex);
    if (source?.present) outlet.passOn(source.value);
    for (const reaction of outlet.target?.observers ?? []) changed.add(reaction);
  }
  assignLevels(changed, region);
};

/**
 * @param {ReactorNode} node
 * @param {any} from  a port or channel
 * @param {any} to  a port or channel; without it, all that `from` is connected to
 */
export const disconnectRunning = (node, from, to) => {
  const running = insistRunning(node, 'a connection was taken away in it');
  if (!running.isMutation) {
    throw new UserError(
      `${running.path} takes a connection away, which only a mutation may do; declare it by "mutation"`,
    );
  }
  const region = /** @type {Region} */ (node.region);
  giveBirth(region);
  const source = endOf(from, node);
  const target = to === undefined ? undefined : endOf(to, node);
  /** @type {Set<Reaction>} */
  const changed = new Set();
  let count = 0;
  for (const [port, index] of destinationsIn(node)) {
    const origin = originOf(port, index);
    if (origin.port !== source.port) continue;
    if (source.index >= 0 && origin.index !== source.index) continue;
    if (
      target !== undefined &&
      (target.port !== port || (target.index >= 0 && target.index !== index))
    )
      continue;
    cut(node, port, index, changed);
    count += 1;
  }
  if (count === 0) {
    throw new UserError(
      `${node.path}: ${describe(from)} is not connected${to === undefined ? '' : ` to ${describe(to)}`} here`,
    );
  }
  assignLevels(changed, region);
};

/**
 * Delete a contained reactor. Its reactions to shutdown run at this tag, if a mutation deletes it, else at the next
 * microstep; when that tag ends it is taken out, with all that it contains, its connections and its events.
 *
 * @param {ReactorNode} node  the container
 * @param {any} reactor
 */
export const deleteRunning = (node, reactor) => {
  const running = insistRunning(node, 'a reactor was deleted in it');
  const region = /** @type {Region} */ (node.region);
  giveBirth(region);
  /** @type {ReactorNode | undefined} */
  const victim = reactor?.node;
  if (victim === undefined || victim.parent !== node || victim.isRemoved) {
    throw new UserError(
      `${running.path} deletes ${describe(victim ?? reactor)}, which is not directly in ${node.path}; ` +
        'a reactor is deleted by the one that contains it',
    );
  }
  const { scheduler } = region;
  if (running.isMutation) {
    scheduler.leaving.push(victim);
    endSubtree(victim);
  } else if (!scheduler.doomed.includes(victim)) {
    scheduler.doomed.push(victim);
    scheduler.wantMicrostep();
  }
};

/** @param {ReactorNode} node  its reactions to shutdown become ready */
export const endSubtree = node => {
  for (const inner of node.subtree()) {
    for (const { builtIns } of [inner, ...inner.modes]) {
      if (builtIns.shutdown === null) continue;
      shutDown(builtIns.shutdown);
      /** @type {Region} */ (inner.region).scheduler.endings.delete(builtIns.shutdown);
    }
  }
};

/**
 * @param {any} item
 * @param {ReactorNode} node
 */
const endOf = (item, node) => {
  if (item instanceof Channel) return { port: item.port, index: item.index };
  if (item?.slotAt === undefined) {
    throw new UserError(`${node.path}: ${describe(item)} is no port; disconnect ports`);
  }
  return { port: item, index: -1 };
};
