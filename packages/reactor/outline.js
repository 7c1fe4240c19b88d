// A program as plain data: its parts, their connections, and the order of reactions. It is made from the running
// program, not from the declarations, so levels, widths and the changes of mutations are the present ones. Everything
// in it is JSON, so that it can leave a vat; diagrams are drawn from it.
//
// A bank of many equal reactors is one reactor in it, with a width: the parts of its members are listed once, and their
// connections are added up. So a graph of a million channels has an outline of a page.

import { insistOptions, UserError } from '#model';
import { Action } from './action.js';
import { BuiltIn } from './built-in.js';
import { settleLevels } from './late-levels.js';
import { ModeTransition } from './mode.js';
import { MultiPort } from './multiport.js';
import { describe } from './node.js';
import { connectionsOf } from './outline-connections.js';
import { makeNames, shapeOf } from './outline-names.js';
import { Timer } from './timer.js';
import { Watchdog } from './watchdog.js';
import { ResultPort, Transient } from './transient.js';

/** @import { ReactorNode } from './node.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Reactor } from './reactor.js' */
/** @import { AnyPort } from './port.js' */
/** @import { Mode } from './mode.js' */

/**
 * @typedef {object} Outline
 * @property {OutlineReactor[]} reactors  containers before what they contain; the first is the main reactor
 * @property {OutlineConnection[]} connections
 */

/**
 * @typedef {object} OutlineReactor
 * @property {number} id  its place in the list
 * @property {number | null} parent  id of its container; null for the main reactor
 * @property {string} name  in its container: `filter`, `stages[2]`, `members[0..999]`
 * @property {string} path
 * @property {string} class  name of its class
 * @property {number | null} bankIndex  null outside a bank
 * @property {number} width  the number of equal bank members that it stands for; 1 for a single reactor
 * @property {string | null} mode  mode of the container that it is in
 * @property {OutlinePort[]} ports
 * @property {OutlineAction[]} actions
 * @property {OutlineTimer[]} timers
 * @property {{ name: string, isInitial: boolean }[]} modes
 * @property {{ name: string, class: string, results: string[], mode: string | null }[]} transients
 * @property {OutlineReaction[]} reactions  in their order, mutations first
 */

/** @typedef {{ name: string, isInput: boolean, width: number, isMulti: boolean }} OutlinePort */

/**
 * @typedef {object} OutlineAction
 * @property {string} name
 * @property {boolean} isPhysical
 * @property {number} minDelayNs
 * @property {number | null} minSpacingNs  null without one
 * @property {string} policy
 * @property {string | null} mode
 */

/** @typedef {{ name: string, offsetNs: number, periodNs: number, mode: string | null }} OutlineTimer */

/**
 * @typedef {object} OutlineReaction
 * @property {number} number  from 1, in the reactor's order
 * @property {string} name  of its field, or `r0`, `r1` …; `m0` for a mutation
 * @property {boolean} isMutation
 * @property {string | null} mode
 * @property {OutlineReference[]} triggers
 * @property {OutlineReference[]} sources  read without triggering
 * @property {OutlineReference[]} effects
 * @property {number} level  the lowest of a bank's members
 * @property {number} lastLevel  the highest of a bank's members
 * @property {number} stage  0 unless the program is one of several that are connected
 * @property {number | null} deadlineNs
 */

/**
 * A part that a reaction refers to: a port of its reactor or of a contained one, or another part of its own reactor.
 *
 * @typedef {object} OutlineReference
 * @property {'port' | 'action' | 'timer' | 'startup' | 'shutdown' | 'reset' | 'mode' | 'transient'} kind
 * @property {string} name
 * @property {number} [reactor]  of a port: the id of its reactor
 * @property {number[]} [channels]  for a multiport: its channels, unless it is all of them
 * @property {'reset' | 'history'} [transition]  of a mode
 * @property {string} [result]  of a transient child
 */

/**
 * Channels of one port that are connected to channels of another.
 *
 * @typedef {object} OutlineConnection
 * @property {number} container  id of the reactor that contains the connection
 * @property {string | null} mode
 * @property {{ reactor: number, port: string }} from
 * @property {{ reactor: number, port: string }} to
 * @property {number} channels  their number
 * @property {[from: number, to: number, count: number][] | null} runs  `count` channels from `from` on are connected to
 *   those from `to` on; null where an end stands for a bank
 * @property {number | null} delayNs  delay of `after`; null without one
 * @property {boolean} isPhysical
 */

/**
 * A reactor of the outline, with the data for making it.
 *
 * @typedef {object} Entry
 * @property {OutlineReactor} reactor
 * @property {boolean} isMany  whether it or a container of it stands for several reactors
 * @property {ReactorNode} node
 * @property {(Entry)[]} children  by child of the node; several children may have the same entry
 * @property {(PortPlace | null)[]} ports  by port of the node; null for a result of a transient child
 */

/** @typedef {{ entry: Entry, port: OutlinePort }} PortPlace */

/** @import { NameOf } from './outline-names.js' */

/** @typedef {{ entries: Entry[], entryOf: Map<ReactorNode, Entry>, placeOf: Map<AnyPort, PortPlace>, namesOf: (node: ReactorNode) => NameOf, maxBank: number }} Making */

const outlineRules = Object.freeze({ maxBank: /** @type {const} */ ('number') });

/**
 * Describes a program as plain data.
 *
 * @param {{ main: Reactor }} program  a Program or a Federate
 * @param {{ maxBank?: number }} [options]  a bank with more than `maxBank` (by default 4) equal members is one reactor;
 *   Infinity lists each member
 * @returns {Outline}
 * @throws {UserError} if it is no program
 * @throws {TypeError} an option has an unknown name, or `maxBank` is no number
 */
export const outlineOf = (program, options = {}) => {
  insistOptions('outlineOf()', options, outlineRules);
  const { maxBank = 4 } = options;
  const node = program?.main?.node;
  if (!node?.region) {
    throw new UserError(
      `an outline is made of a program, got ${describe(program)}; give a Program (new Program(main)) or a Federate`,
    );
  }
  settleLevels(node.region);
  /** @type {Making} */
  const making = {
    entries: [],
    entryOf: new Map(),
    placeOf: new Map(),
    namesOf: makeNames(),
    maxBank,
  };
  addReactor(making, node, null, { name: node.path, width: 1 });
  for (const entry of making.entries) {
    entry.reactor.reactions.push(
      ...entry.node.reactions.map((reaction, i) => reactionOf(making, entry, reaction, i)),
    );
  }
  for (const [other, entry] of making.entryOf) if (other !== entry.node) widenLevels(entry, other);
  return {
    reactors: making.entries.map(({ reactor }) => reactor),
    connections: connectionsOf(making),
  };
};

/**
 * @param {Making} making
 * @param {ReactorNode} node
 * @param {Entry | null} parent
 * @param {{ name: string, width: number }} member
 * @returns {Entry}
 */
const addReactor = (making, node, parent, { name, width }) => {
  const nameOf = making.namesOf(node);
  const isInMain = parent === null || parent.reactor.parent === null;
  const modeName = (/** @type {Mode | null} */ mode) => mode && nameOf(mode);
  /** @type {OutlineReactor} */
  const reactor = {
    id: making.entries.length,
    parent: parent && parent.reactor.id,
    name,
    path: isInMain ? name : `${parent.reactor.path}.${name}`,
    class: node.reactor.constructor.name,
    bankIndex: width > 1 || node.bankIndex < 0 ? null : node.bankIndex,
    width,
    mode: node.mode && making.namesOf(node.mode.node)(node.mode),
    ports: [],
    actions: [],
    timers: [],
    modes: node.modes.map(mode => ({ name: nameOf(mode), isInitial: mode.initial })),
    transients: node.transients.map(transient => ({
      name: nameOf(transient),
      class: transient.type.name,
      results: [...transient.results],
      mode: modeName(transient.mode),
    })),
    reactions: [],
  };
  for (const trigger of node.triggers) {
    const common = { name: nameOf(trigger), mode: modeName(trigger.mode) };
    if (trigger instanceof Timer) {
      reactor.timers.push({ ...common, offsetNs: trigger.offsetNs, periodNs: trigger.periodNs });
    } else if (trigger instanceof Watchdog) {
      // A watchdog is shown as an action whose event each start postpones.
      const timing = { minDelayNs: trigger.timeoutNs, minSpacingNs: null, policy: 'update' };
      reactor.actions.push({ ...common, isPhysical: false, ...timing });
    } else {
      const { isPhysical, minDelayNs, minSpacingNs, policy } = trigger;
      const spacing = { minSpacingNs: minSpacingNs < 0 ? null : minSpacingNs, policy };
      reactor.actions.push({ ...common, isPhysical, minDelayNs, ...spacing });
    }
  }
  /** @type {Entry} */
  const entry = {
    reactor,
    isMany: width > 1 || (parent?.isMany ?? false),
    node,
    children: [],
    ports: [],
  };
  making.entries.push(entry);
  making.entryOf.set(node, entry);
  for (const port of node.ports) {
    if (port instanceof ResultPort) {
      entry.ports.push(null);
      continue;
    }
    const isMulti = port instanceof MultiPort;
    const place = {
      entry,
      port: { name: nameOf(port), isInput: port.isInput, width: port.width, isMulti },
    };
    reactor.ports.push(place.port);
    entry.ports.push(place);
    making.placeOf.set(port, place);
  }
  addChildren(making, entry, nameOf);
  return entry;
};

/**
 * @param {Making} making
 * @param {Entry} entry
 * @param {(component: object) => string} nameOf
 */
const addChildren = (making, entry, nameOf) => {
  const { children } = entry.node;
  for (let i = 0; i < children.length;) {
    const group = bankFrom(children, i, making);
    const name = nameOf(children[i].reactor);
    if (group.length > making.maxBank) {
      const width = group.length;
      const many = name.replace(/\[(\d+)\]$/, (_, first) => `[${first}..${+first + width - 1}]`);
      const first = addReactor(making, children[i], entry, { name: many, width });
      entry.children.push(first);
      for (const other of group.slice(1)) {
        likeReactor(making, other, first);
        entry.children.push(first);
      }
      i += width;
    } else {
      entry.children.push(addReactor(making, children[i], entry, { name, width: 1 }));
      i += 1;
    }
  }
};

/**
 * The equal members of a bank from a child on.
 *
 * @param {ReactorNode[]} children
 * @param {number} first
 * @param {Making} making
 */
const bankFrom = (children, first, making) => {
  const head = children[first];
  const group = [head];
  if (head.bankIndex < 0) return group;
  const nameOf = making.namesOf(/** @type {ReactorNode} */ (head.parent));
  const shape = shapeOf(head);
  const bankName = (/** @type {ReactorNode} */ node) =>
    nameOf(node.reactor).replace(/\[\d+\]$/, '');
  for (let i = first + 1; i < children.length; i += 1) {
    const other = children[i];
    const isNext =
      other.bankIndex === head.bankIndex + group.length &&
      other.mode === head.mode &&
      bankName(other) === bankName(head) &&
      shapeOf(other) === shape;
    if (!isNext) break;
    group.push(other);
  }
  return group;
};

/**
 * Enters a reactor for which another one stands.
 *
 * @param {Making} making
 * @param {ReactorNode} node
 * @param {Entry} entry
 */
const likeReactor = (making, node, entry) => {
  making.entryOf.set(node, entry);
  node.ports.forEach((port, i) => {
    const place = entry.ports[i];
    if (place !== null) making.placeOf.set(port, place);
  });
  node.children.forEach((child, i) => likeReactor(making, child, entry.children[i]));
};

/**
 * @param {Entry} entry
 * @param {ReactorNode} other  another reactor that it stands for
 */
const widenLevels = ({ reactor }, other) => {
  other.reactions.forEach(({ depth, stage }, i) => {
    const told = reactor.reactions[i];
    told.level = Math.min(told.level, depth);
    told.lastLevel = Math.max(told.lastLevel, depth);
    told.stage = Math.max(told.stage, stage);
  });
};

/**
 * @param {Making} making
 * @param {Entry} entry
 * @param {Reaction} reaction
 * @param {number} place
 * @returns {OutlineReaction}
 */
const reactionOf = (making, { node }, reaction, place) => {
  const nameOf = making.namesOf(node);
  /** @type {(ports: Map<any, Set<number> | null>) => OutlineReference[]} */
  const references = ports =>
    distinct([...ports].map(([item, channels]) => referTo(making, nameOf, item, channels)));
  const { triggers, reads, writes, events, deadlineNs } = reaction;
  return {
    number: place + 1,
    name: nameOf(reaction),
    isMutation: reaction.isMutation,
    mode: reaction.mode && nameOf(reaction.mode),
    triggers: [...references(new Map(events.map(item => [item, null]))), ...references(triggers)],
    sources: references(new Map([...reads].filter(([port]) => !triggers.has(port)))),
    // Results of a transient child are named with it.
    effects: references(new Map([...writes].filter(([port]) => !(port instanceof ResultPort)))),
    level: reaction.depth,
    lastLevel: reaction.depth,
    stage: reaction.stage,
    deadlineNs: deadlineNs === Infinity ? null : deadlineNs,
  };
};

/**
 * @param {Making} making
 * @param {(component: object) => string} nameOf  in the reaction's own reactor
 * @param {any} item
 * @param {Set<number> | null} channels
 * @returns {OutlineReference}
 */
const referTo = (making, nameOf, item, channels) => {
  if (item instanceof BuiltIn) return { kind: item.kind, name: item.kind };
  if (item instanceof Timer) return { kind: 'timer', name: nameOf(item) };
  if (item instanceof Action || item instanceof Watchdog)
    return { kind: 'action', name: nameOf(item) };
  if (item instanceof Transient) return { kind: 'transient', name: nameOf(item) };
  if (item instanceof ResultPort) {
    return { kind: 'transient', name: nameOf(item.transient), result: item.name };
  }
  if (item instanceof ModeTransition) {
    return { kind: 'mode', name: nameOf(item.mode), transition: item.kind };
  }
  const { entry, port } = /** @type {PortPlace} */ (making.placeOf.get(item));
  return {
    kind: 'port',
    name: port.name,
    reactor: entry.reactor.id,
    ...(channels !== null && !entry.isMany && { channels: [...channels] }),
  };
};

/** @param {OutlineReference[]} references  those of a bank's members are one */
const distinct = references => {
  const known = new Set();
  return references.filter(reference => {
    const key = JSON.stringify(reference);
    return !known.has(key) && known.add(key);
  });
};
