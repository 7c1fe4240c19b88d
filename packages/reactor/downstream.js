// Where a channel leads: to all that are connected from it, at zero delay as one slot, and by connections that are more.

/** @import { ReactorNode } from './node.js' */
/** @import { AnyPort } from './port.js' */

/**
 * Its connections that are more than a shared slot.
 *
 * @param {AnyPort} port
 * @param {number} index
 */
export const outletsFrom = (port, index) => {
  const { node } = port;
  // Inside its reactor, and outside that of an output. Those of an output of a main reactor are its host's (federate.js).
  const outlets =
    port.isInput || node.parent === null ? node.outlets : [...node.outlets, ...node.parent.outlets];
  return outlets.filter(({ source, sourceIndex }) => source === port && sourceIndex === index);
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
  // A port leads on inside its reactor (an output does so if a mutation connects it), and an output outside it.
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
    for (const port of inner.ports) {
      if (port.isInput === (inner === node)) continue;
      for (let i = 0; i < port.width; i += 1) if (port.fromAt(i) !== null) yield [port, i];
    }
  }
}
