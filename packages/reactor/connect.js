// Connections: lists of ports are flattened into lists of channels, which are connected one by one. A connection is
// only noted at its destination here; assemble.js finds the slots.

import { UserError } from '#model';
import { insistOwnMode } from './container.js';
import { noteConnection } from './downstream.js';
import { Channel, MultiPort } from './multiport.js';
import { describe } from './node.js';
import { Outlet, fromPath } from './outlet.js';
import { insistOptions } from './options.js';
import { Port } from './port.js';
import { flatten } from './flat.js';
import { duration } from './time.js';

/** @import { ReactorNode } from './node.js' */
/** @import { Mode } from './mode.js' */
/** @import { AnyPort } from './port.js' */
/** @import { Duration } from './time.js' */

/**
 * An end of a connection that takes or gives values of a type.
 *
 * @template T
 * @typedef {Port<T> | MultiPort<T> | Channel<T> | Interleaved<T>} End
 */

/**
 * A side of a connection: ends, in lists of any depth.
 *
 * @template T
 * @typedef {End<T> | readonly Ends<T>[]} Ends
 */

/**
 * @typedef {object} ConnectOptions
 * @property {Duration} [after]  delay until a value arrives; 0 is the next microstep
 * @property {boolean} [physical]  it arrives at the time that the physical clock shows
 * @property {boolean} [repeat]  the sources are repeated when they are used up (broadcast)
 * @property {boolean} [partial]  channels of the longer side may stay unconnected
 */

const connectOptions = Object.freeze({
  after: 'value',
  physical: 'flag',
  repeat: 'flag',
  partial: 'flag',
  mode: 'value',
});

export class Connection {
  /**
   * @param {ReactorNode} node  the container
   * @param {Mode | null} mode  in which it holds
   * @param {any} from
   * @param {any} to
   * @param {ConnectOptions & { mode?: Mode }} [options]
   */
  constructor(node, mode, from, to, options) {
    const {
      after,
      physical = false,
      repeat = false,
      partial = false,
    } = insistOptions(options, connectOptions, () => `${node.path}: a connection`);
    insistOwnMode(node, mode, 'a connection');
    this.node = node;
    this.mode = mode;
    this.from = flatten(from);
    this.to = flatten(to);
    this.delayNs =
      after === undefined ? -1 : duration(after, () => `${node.path}: "after" of a connection`);
    this.isPhysical = physical;
    this.repeat = repeat;
    this.partial = partial;
    /**
     * Whether a mutation made it: as in reactor-ts, it may lead from an output of the reactor to a contained reactor.
     */
    this.isByMutation = false;
  }
}

/**
 * Interleaved ports: the first channel of each, then the second of each.
 *
 * @template T
 */
export class Interleaved {
  /** @param {Ends<T>} list */
  constructor(list) {
    /** @type {End<T>[]} */
    this.ports = flatten(list);
  }
}

/**
 * The channels of some ports, interleaved: the first of each, then the second of each, and so on.
 *
 * @template T
 * @param {Ends<T>} ports  one side of a connection, mostly a port of each member of a bank
 * @returns {Interleaved<T>}
 */
export const interleaved = ports => new Interleaved(ports);

/**
 * Channels as two lists: with many channels, an object for each would be slow.
 *
 * @typedef {{ ports: AnyPort[], indexes: number[] }} Channels
 */

/**
 * @param {Connection} connection
 * @param {any[]} list
 * @param {'source' | 'destination'} side
 * @param {Channels} ends
 */
const expand = (connection, list, side, ends) => {
  const { ports, indexes } = ends;
  list.forEach((item, place) => {
    if (item instanceof Port || item instanceof MultiPort) {
      insistWithin(connection, item, side);
      for (let i = 0; i < item.width; i += 1) {
        ports.push(item);
        indexes.push(i);
      }
    } else if (item instanceof Channel) {
      insistWithin(connection, item.port, side);
      ports.push(item.port);
      indexes.push(item.index);
    } else if (item instanceof Interleaved) {
      /** @type {Channels[]} */
      const each = item.ports.map(port =>
        expand(connection, [port], side, { ports: [], indexes: [] }),
      );
      const longest = each.reduce((most, inner) => Math.max(most, inner.ports.length), 0);
      for (let i = 0; i < longest; i += 1) {
        for (const inner of each) {
          if (i >= inner.ports.length) continue;
          ports.push(inner.ports[i]);
          indexes.push(inner.indexes[i]);
        }
      }
    } else {
      throw new UserError(
        `${connection.node.path}: ${side} ${place + 1} of a connection is ${describe(item)}; give a port that exists`,
      );
    }
  });
  return ends;
};

/**
 * Checks that a connection of a reactor is between its own ports and those of the reactors directly in it.
 *
 * @param {Connection} connection
 * @param {AnyPort} port
 * @param {'source' | 'destination'} side
 */
const insistWithin = ({ node, isByMutation }, port, side) => {
  const isSource = side === 'source';
  if (isSource && isByMutation && port.node === node) return;
  if (
    port.node === node
      ? port.isInput === isSource
      : port.node.parent === node && port.isInput !== isSource
  ) {
    return;
  }
  const right = isSource
    ? 'one of its own inputs or an output of a reactor directly in it'
    : 'one of its own outputs or an input of a reactor directly in it';
  throw new UserError(
    `${node.path}: ${port.path} cannot be the ${side} of a connection here; it takes ${right}`,
  );
};

/**
 * Checks that a connection does not lead from one mode into another, since two modes are never active together.
 *
 * @param {Connection} connection
 * @param {AnyPort} port
 * @param {AnyPort[]} others
 */
const insistMode = ({ node, mode }, port, others) => {
  const own = modeIn(node, port);
  if (own === null) return;
  if (mode !== null && mode !== own) {
    throw new UserError(
      `${node.path}: a connection of ${mode.path} names ${port.path}, which lies in ${own.path}; modes are not active ` +
        'together, so join what lies in one of them',
    );
  }
  const other = others.find(end => ![null, own].includes(modeIn(node, end)));
  if (other === undefined) return;
  throw new UserError(
    `${node.path}: a connection leads from ${port.path} in ${own.path} to ${other.path} in ${modeIn(node, other)?.path}; ` +
      'modes are not active together, so join what lies in one of them',
  );
};

/**
 * The first port in each mode.
 *
 * @param {ReactorNode} node
 * @param {AnyPort[]} ports
 */
const onePerMode = (node, ports) => {
  /** @type {Map<Mode | null, AnyPort>} */
  const first = new Map();
  for (const port of ports) {
    const mode = modeIn(node, port);
    if (!first.has(mode)) first.set(mode, port);
  }
  return [...first.values()];
};

/**
 * The mode of a reactor that contains a port's reactor.
 *
 * @param {ReactorNode} node
 * @param {AnyPort} port
 */
const modeIn = (node, port) => (port.node === node ? null : port.node.mode);

/**
 * Notes at each destination where it is connected from.
 *
 * @param {Connection} connection
 * @param {(port: AnyPort, index: number, was: AnyPort | Outlet | null, wasIndex: number) => void} [onEach]  called for each
 *   destination, with what it was connected from before
 */
export const applyConnection = (connection, onEach) => {
  const { node, mode, delayNs, isPhysical, repeat, partial } = connection;
  const sources = expand(connection, connection.from, 'source', { ports: [], indexes: [] });
  const targets = expand(connection, connection.to, 'destination', { ports: [], indexes: [] });
  const width = sources.ports.length;
  const wanted = targets.ports.length;
  if (repeat ? width === 0 && wanted > 0 : width !== wanted && !partial) {
    throw new UserError(
      `${node.path}: a connection from ${ends(connection.from, width)} to ${ends(connection.to, wanted)}; ` +
        'make the widths equal, or set "repeat" to broadcast or "partial" to leave the rest unconnected',
    );
  }
  const others = onePerMode(node, targets.ports);
  for (const port of new Set(sources.ports)) insistMode(connection, port, others);
  for (const port of new Set(targets.ports)) insistMode(connection, port, []);
  const count = repeat ? wanted : Math.min(width, wanted);
  const isPlain = delayNs < 0 && !isPhysical && mode === null;
  for (let i = 0, at = 0; i < count; i += 1, at += 1) {
    if (at === width) at = 0;
    const source = sources.ports[at];
    const sourceIndex = sources.indexes[at];
    const target = targets.ports[i];
    const index = targets.indexes[i];
    if (source.node === node && target.node === node && !source.isInput) {
      throw new UserError(
        `${node.path}: ${source.path} cannot be the source of a connection to ${target.path}; an output of the reactor ` +
          'itself leads to inputs of reactors in it',
      );
    }
    const known = target.fromAt(index);
    // A destination may have a different source in each mode, since only one mode is active.
    const isAnotherMode =
      known instanceof Outlet &&
      mode !== null &&
      known.rivals.every(other => other.mode !== null && other.mode !== mode);
    if (known !== null && known !== undefined && !isAnotherMode) {
      throw new UserError(
        `${target.channelPath(index)} has two sources, ${fromPath(target, index, mode)} and ` +
          `${source.channelPath(sourceIndex)}; an input takes one, so merge them in a reactor or use a multiport`,
      );
    }
    const knownIndex = target.fromIndexAt(index);
    if (isPlain) {
      target.setFrom(index, source, sourceIndex);
    } else {
      const outlet = new Outlet(node, mode, { delayNs, isPhysical });
      outlet.source = source;
      outlet.sourceIndex = sourceIndex;
      outlet.destination = target;
      outlet.index = index;
      if (known instanceof Outlet) outlet.join(known);
      node.outlets.add(outlet);
      target.setFrom(index, outlet, 0);
    }
    noteConnection(node, source, sourceIndex, target, index);
    onEach?.(target, index, known, knownIndex);
  }
};

/**
 * @param {any[]} list
 * @param {number} width
 */
const ends = (list, width) => {
  const names = list
    .slice(0, 3)
    .map(item =>
      item instanceof Interleaved ? `interleaved(${describe(item.ports[0])} …)` : describe(item),
    );
  const more = list.length > 3 ? ' …' : '';
  return `${names.join(', ')}${more} (${width} ${width === 1 ? 'channel' : 'channels'})`;
};
