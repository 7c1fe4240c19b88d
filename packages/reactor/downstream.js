// Walks downstream: from a channel to all channels connected from it, by a shared slot or by an outlet.

/** @import { ReactorNode } from './node.js' */
/** @import { AnyPort } from './port.js' */
/** @import { Outlet } from './outlet.js' */

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
    for (const [end, i] of destinationsIn(container)) {
      if (end.fromAt(i) === port && end.fromIndexAt(i) === index) yield* downstream(end, i);
    }
  }
}

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
