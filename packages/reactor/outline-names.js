// Names for an outline, and the shape by which alike reactors are found.

import { BuiltIn } from './built-in.js';
import { ModeTransition } from './mode.js';
import { namesIn } from './names.js';
import { ResultPort } from './transient.js';

/** @import { ReactorNode } from './node.js' */
/** @import { Reaction } from './reaction.js' */

/** @typedef {(component: object) => string} NameOf */

/**
 * Names of reactors' parts, found in one walk over the fields of each reactor. They are for one outline: a mutation may
 * change the fields.
 *
 * @returns {(node: ReactorNode) => NameOf}
 */
export const makeNames = () => {
  /** @type {Map<ReactorNode, NameOf>} */
  const known = new Map();
  return node => {
    let nameOf = known.get(node);
    if (nameOf === undefined) {
      nameOf = namesOf(node);
      known.set(node, nameOf);
    }
    return nameOf;
  };
};

/**
 * The names of a reactor's parts, as in error messages.
 *
 * @param {ReactorNode} node
 * @returns {NameOf}
 */
const namesOf = node => {
  const names = namesIn(node.reactor);
  return component => names.get(component) ?? nameWithoutField(node, component);
};

/**
 * Names the parts that lie in no field, by their position.
 *
 * @param {ReactorNode} node
 * @param {any} component
 */
const nameWithoutField = ({ ports, triggers, reactions, modes, transients }, component) => {
  if (ports.includes(component)) {
    return `${component.isInput ? 'input' : 'output'}${ports.indexOf(component)}`;
  }
  if (reactions.includes(component)) {
    const { isMutation } = component;
    const alike = reactions.filter(reaction => reaction.isMutation === isMutation);
    return `${isMutation ? 'm' : 'r'}${alike.indexOf(component)}`;
  }
  if (triggers.includes(component)) {
    return `${'periodNs' in component ? 'timer' : 'action'}${triggers.indexOf(component)}`;
  }
  if (modes.includes(component)) return `mode${modes.indexOf(component)}`;
  if (transients.includes(component)) return `transient${transients.indexOf(component)}`;
  // A member of a bank in no field is identified by its index.
  const { bankIndex = -1 } = component.node ?? {};
  const type = component.constructor.name;
  return bankIndex < 0 ? type : `${type}[${bankIndex}]`;
};

/**
 * A text that is equal for reactors with the same parts, reactions and contained reactors, whatever their levels and
 * connections.
 *
 * @param {ReactorNode} node
 * @returns {string}
 */
export const shapeOf = node => {
  const nameOf = namesOf(node);
  const inMode = (/** @type {any} */ mode) => mode && nameOf(mode);
  return JSON.stringify([
    node.reactor.constructor.name,
    node.ports.map(port => [nameOf(port), port.isInput, port.width]),
    node.triggers.map(({ slot: _, node: __, mode, ...rest }) => [inMode(mode), plain(rest)]),
    node.modes.map(mode => [nameOf(mode), mode.initial]),
    node.transients.map(({ type, results }) => [type.name, results]),
    node.reactions.map(reaction => [
      nameOf(reaction),
      inMode(reaction.mode),
      reaction.isMutation,
      String(reaction.deadlineNs),
      [reaction.events, ...namedBy(reaction)].map(list =>
        [...list].map(item => placeOf(node, nameOf, item)),
      ),
    ]),
    node.children.map(child => [nameOf(child.reactor), inMode(child.mode), shapeOf(child)]),
  ]);
};

/** @param {Reaction} reaction */
const namedBy = ({ triggers, reads, writes }) => [triggers.keys(), reads.keys(), writes.keys()];

/** @param {Record<string, any>} fields  of an action or a timer */
const plain = ({ isPhysical, minDelayNs, minSpacingNs, policy, offsetNs, periodNs }) => [
  ...[isPhysical, minDelayNs, minSpacingNs, policy],
  ...[offsetNs, periodNs],
];

/**
 * @param {ReactorNode} node
 * @param {NameOf} nameOf
 * @param {any} item
 */
const placeOf = (node, nameOf, item) => {
  if (item instanceof BuiltIn) return item.kind;
  if (item instanceof ModeTransition) return [nameOf(item.mode), item.kind];
  if (item instanceof ResultPort) return [nameOf(item.transient), item.name];
  if (item.node === node) return nameOf(item);
  return [node.children.indexOf(item.node), item.node.ports.indexOf(item)];
};
