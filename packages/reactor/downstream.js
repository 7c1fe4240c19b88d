// Walks downstream: from a channel to all channels connected from it, by a shared slot or by an outlet. A reactor's
// connections are noted by their sources when they are first looked for, so that none looks through all of them.

import { Outlet } from './outlet.js';

/** @import { ReactorNode } from './node.js' */
/** @import { AnyPort } from './port.js' */
/** @import { Ends } from './node.js' */

/**
 * The outlets from a channel.
 *
 * @param {AnyPort} port
 * @param {number} index
 */
export const outletsFrom = (port, index) => {
  const { node } = port;
  // Inside the port's reactor, and for an output also outside; those of a main reactor's output are its host's
  // (federate.js).
  const nodes = port.isInput || node.parent === null ? [node] : [node, node.parent];
  /** @type {Outlet[]} */
  const found = [];
  for (const { outlets } of nodes) {
    for (const outlet of outlets)
      if (outlet.source === port && outlet.sourceIndex === index) found.push(outlet);
  }
  return found;
};

/**
 * A channel and all that are connected from it at zero delay.
 *
 * @param {AnyPort} port
 * @param {number} index
 * @returns {Generator<[AnyPort, number]>}
 */
export function* downstream(port, index) {
  yield [port, index];
  const { node } = port;
  // A port leads on inside its reactor (an output only if a mutation connects it), and an output also outside.
  for (const container of port.isInput ? [node] : [node, node.parent]) {
    if (container === null) continue;
    for (const [end, i] of destinationsFrom(port, index, container)) {
      if (end.fromAt(i) === port && end.fromIndexAt(i) === index) yield* downstream(end, i);
    }
  }
}

/**
 * The connected channels to which a reactor's connections lead from a channel, in the order of `destinationsIn`.
 *
 * @param {AnyPort} source
 * @param {number} sourceIndex  -1 for all channels
 * @param {ReactorNode} node
 */
export const destinationsFrom = (source, sourceIndex, node) => {
  const byChannel = targetsIn(node).get(source);
  if (byChannel === undefined) return [];
  if (sourceIndex < 0)
    return inOrder(
      [...byChannel].flatMap(([channel, ends]) => live(source, channel, ends)),
      node,
    );
  const ends = byChannel.get(sourceIndex);
  return ends === undefined ? [] : inOrder(live(source, sourceIndex, ends), node);
};

/**
 * Channels to which a reactor's connections lead, each once, in the order of `destinationsIn`.
 *
 * @param {[AnyPort, number][]} found
 * @param {ReactorNode} node
 */
export const inOrder = (found, node) => {
  if (found.length < 2) return found;
  const compare = compareIn(node);
  found.sort(([a, i], [b, j]) => (a === b ? i - j : compare(a, b)));
  return found.filter(
    ([port, i], at) => at === 0 || found[at - 1][0] !== port || found[at - 1][1] !== i,
  );
};

/**
 * The noted ends that are still connected from there; forgets the others.
 *
 * @param {AnyPort} source
 * @param {number} sourceIndex
 * @param {Ends} ends
 */
const live = (source, sourceIndex, ends) => {
  /** @type {[AnyPort, number][]} */
  const found = [];
  for (const [end, noted] of ends) {
    const indexes = typeof noted === 'number' ? [noted] : noted;
    const { length } = found;
    for (const i of indexes) {
      if (leadsFrom(source, sourceIndex, end, i)) found.push([end, i]);
      else if (typeof noted !== 'number') noted.delete(i);
    }
    if (found.length === length) ends.delete(end);
  }
  return found;
};

/**
 * Notes a new connection of a reactor.
 *
 * @param {ReactorNode} node
 * @param {AnyPort} source
 * @param {number} sourceIndex
 * @param {AnyPort} end
 * @param {number} index
 */
export const noteConnection = ({ targets }, source, sourceIndex, end, index) => {
  if (targets === null) return;
  let byChannel = targets.get(source);
  if (byChannel === undefined) targets.set(source, (byChannel = new Map()));
  const ends = byChannel.get(sourceIndex);
  if (ends === undefined) {
    byChannel.set(sourceIndex, new Map([[end, index]]));
    return;
  }
  const noted = ends.get(end);
  if (noted === undefined) ends.set(end, index);
  else if (typeof noted !== 'number') noted.add(index);
  else if (noted !== index) ends.set(end, new Set([noted, index]));
};

/**
 * Forgets all connections of a reactor from a channel to a port.
 *
 * @param {ReactorNode} node
 * @param {AnyPort} source
 * @param {number} sourceIndex
 * @param {AnyPort} end
 */
export const forgetConnection = ({ targets }, source, sourceIndex, end) =>
  void targets?.get(source)?.get(sourceIndex)?.delete(end);

/** @param {ReactorNode} node */
const targetsIn = node => {
  if (node.targets !== null) return node.targets;
  node.targets = new Map();
  for (const [end, i] of destinationsIn(node)) {
    const from = /** @type {AnyPort | Outlet} */ (end.fromAt(i));
    if (from instanceof Outlet) {
      for (const { source, sourceIndex } of from.rivals)
        noteConnection(node, /** @type {AnyPort} */ (source), sourceIndex, end, i);
    } else {
      noteConnection(node, from, end.fromIndexAt(i), end, i);
    }
  }
  return node.targets;
};

/** @param {AnyPort} source @param {number} sourceIndex @param {AnyPort} end @param {number} index */
const leadsFrom = (source, sourceIndex, end, index) => {
  const from = end.fromAt(index);
  if (from instanceof Outlet)
    return from.rivals.some(other => other.source === source && other.sourceIndex === sourceIndex);
  return from === source && end.fromIndexAt(index) === sourceIndex;
};

/** @param {ReactorNode} node @returns {(a: AnyPort, b: AnyPort) => number} */
const compareIn = node => (a, b) => {
  if (a.node === b.node) return a.node.ports.indexOf(a) - a.node.ports.indexOf(b);
  if (a.node === node) return -1;
  return b.node === node ? 1 : a.node.place - b.node.place;
};

/**
 * The ports that a reactor's connections can lead to: its own outputs and the inputs of the reactors directly in it.
 *
 * @param {ReactorNode} node
 * @returns {Generator<[AnyPort, number]>}
 */
export function* destinationsIn(node) {
  for (const inner of [node, ...node.children]) {
    for (const port of inner.ports) yield* destinationsAt(port, node);
  }
}

/**
 * The connected channels of a port to which a reactor's connections lead: none if they cannot lead to that port.
 *
 * @param {AnyPort} port
 * @param {ReactorNode} node
 * @param {number} [index]  of one channel; otherwise all
 * @returns {Generator<[AnyPort, number]>}
 */
export function* destinationsAt(port, node, index = -1) {
  if (node !== (port.isInput ? port.node.parent : port.node)) return;
  if (index >= 0) {
    if (port.fromAt(index) !== null) yield [port, index];
    return;
  }
  for (let i = 0; i < port.width; i += 1) if (port.fromAt(i) !== null) yield [port, i];
}
