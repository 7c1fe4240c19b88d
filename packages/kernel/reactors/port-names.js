// Ports of vats' root reactors by the names in a config: `vat.port` is the port with all channels, `vat.port[3]` one
// channel. Names of vats and ports may themselves have dots and brackets (`ins[0]` is a port in a list); an ambiguous
// name is refused.

import { didYouMean, quote } from '#model';
import { WiringError } from './wiring-error.js';

/** @import { ReactorShape } from '#model' */
/** @import { KernelState } from '../tables/state.js' */

/** @typedef {'inputs' | 'outputs'} Side */

/**
 * @typedef {object} NamedPort
 * @property {string} vatId
 * @property {string} vatName
 * @property {string} name
 * @property {Side} side
 * @property {number} first  of its channels
 * @property {number} width
 */

/** A channel of a vat. @typedef {{ vatId: string, channel: number, name: string }} End */

/** Names that a message lists, at most. */
const mostNames = 10;

/** @param {string[]} names */
const list = names => {
  const shown = names.slice(0, mostNames).map(quote).join(', ');
  return names.length > mostNames ? `${shown}, … (${names.length} in all)` : shown;
};

/**
 * The port that a channel belongs to, and its place in it.
 *
 * @param {ReactorShape['inputs']} ports  of one side, in the order of their channels
 * @param {number} channel
 */
export const findChannel = (ports, channel) => {
  let index = channel;
  for (const [port, width] of ports) {
    if (index < width) return { port, index, width };
    index -= width;
  }
  return { port: String(channel), index: 0, width: 1 };
};

/**
 * @param {ReactorShape['inputs']} ports
 * @param {number} channel
 */
export const channelName = (ports, channel) => {
  const { port, index, width } = findChannel(ports, channel);
  return width === 1 ? port : `${port}[${index}]`;
};

export class PortNames {
  #state;

  /** By `vat.port`; nearly always one port a name. @type {Map<string, NamedPort[]>} */
  #ports = new Map();

  /** @param {KernelState} state */
  constructor(state) {
    this.#state = state;
    for (const [vatId, { shape }] of state.reactors.rows.entries()) {
      this.#add(vatId, 'inputs', shape.inputs);
      this.#add(vatId, 'outputs', shape.outputs);
    }
  }

  /**
   * @param {string} vatId
   * @param {Side} side
   * @param {ReactorShape['inputs']} ports
   */
  #add(vatId, side, ports) {
    const vatName = this.#state.vats.require(vatId).name;
    let first = 0;
    for (const [name, width] of ports) {
      const key = `${vatName}.${name}`;
      const port = { vatId, vatName, name, side, first, width };
      const known = this.#ports.get(key);
      if (known === undefined) this.#ports.set(key, [port]);
      else known.push(port);
      first += width;
    }
  }

  /**
   * @param {string} place  of the name
   * @param {string} text
   * @param {Side} side
   * @returns {End[]}
   * @throws {WiringError} it names no port, a port of the other side, or more than one port
   */
  channels(place, text, side) {
    const [, before = '', index] = /^(.*)\[(\d+)\]$/s.exec(text) ?? [];
    const ports = this.#ports.get(text) ?? [];
    const channelled = index === undefined ? [] : (this.#ports.get(before) ?? []);
    const count = ports.length + channelled.length;
    if (count === 0) throw this.#explainUnknown(place, text, side);
    if (count > 1)
      throw new WiringError(place, ` is ${quote(text)}, ${tellBoth(ports, channelled, index)}`);
    const port = ports[0] ?? channelled[0];
    if (port.side !== side) {
      const what = port.side === 'inputs' ? 'an input' : 'an output';
      throw new WiringError(
        place,
        ` is ${quote(text)}, ${what} of vat ${quote(port.vatName)} (${this.#tellPorts(port.vatId, side)}); connections go from outputs to inputs of vats' root reactors`,
      );
    }
    const { vatId, first, width } = port;
    if (ports.length === 0) {
      const at = Number(index);
      if (at >= width) {
        const channels =
          width === 1
            ? '1 channel, [0]'
            : `${width} channels${width === 0 ? '' : `, [0] to [${width - 1}]`}`;
        throw new WiringError(place, ` is ${quote(text)}, but ${quote(before)} has ${channels}`);
      }
      return [{ vatId, channel: first + at, name: text }];
    }
    return Array.from({ length: width }, (_, i) => ({
      vatId,
      channel: first + i,
      name: width === 1 ? text : `${text}[${i}]`,
    }));
  }

  /**
   * @param {string} vatId
   * @param {Side} side
   */
  #namesOf(vatId, side) {
    return this.#state.reactors.require(vatId).row.shape[side].map(([name]) => name);
  }

  /**
   * @param {string} vatId
   * @param {Side} side
   */
  #tellPorts(vatId, side) {
    const names = this.#namesOf(vatId, side);
    return names.length === 0 ? `it has no ${side}` : `its ${side} are ${list(names)}`;
  }

  /**
   * @param {string} place
   * @param {string} text
   * @param {Side} side
   */
  #explainUnknown(place, text, side) {
    const { vats, reactors } = this.#state;
    const withReactors = [...reactors.rows.keys()].map(vatId => vats.require(vatId).name);
    const others =
      withReactors.length === 0
        ? '; no vat of the config exports buildReactor'
        : `; those with reactors are ${list(withReactors)}`;
    const named = ` is ${quote(text)}`;
    for (let dot = text.lastIndexOf('.'); dot > 0; dot = text.lastIndexOf('.', dot - 1)) {
      const vatName = text.slice(0, dot);
      const vatId = vats.findVatByName(vatName);
      if (vatId === undefined) continue;
      if (reactors.rows.get(vatId) === undefined) {
        return new WiringError(
          place,
          `${named}, but vat ${quote(vatName)} ${vats.isRunning(vatId) ? 'exports no buildReactor' : 'did not start'}${others}`,
        );
      }
      const port = text.slice(dot + 1);
      const hint = didYouMean(port.replace(/\[[^\]]*\]?$/, ''), this.#namesOf(vatId, side));
      const what = side === 'inputs' ? 'input' : 'output';
      return new WiringError(
        place,
        `${named}, but vat ${quote(vatName)} has no ${what} ${quote(port)}; ${this.#tellPorts(vatId, side)}${hint}`,
      );
    }
    const dot = text.lastIndexOf('.');
    if (dot > 0) {
      const vatName = text.slice(0, dot);
      return new WiringError(
        place,
        `${named}, but there is no vat ${quote(vatName)}${others}${didYouMean(vatName, withReactors)}`,
      );
    }
    const vatId = vats.findVatByName(text);
    const isVat = vatId !== undefined && reactors.rows.get(vatId) !== undefined;
    const what = isVat ? `a vat; ${this.#tellPorts(vatId, side)}` : 'no port';
    return new WiringError(
      place,
      `${named}, which is ${what}; a port is like "vat.port", a channel of it like "vat.port[3]"`,
    );
  }
}

/**
 * @param {NamedPort[]} ports  that have the name
 * @param {NamedPort[]} channelled  that have the name without its index
 * @param {string} index
 */
const tellBoth = (ports, channelled, index) => {
  const meanings = [
    ...ports.map(tellPort),
    ...channelled.map(port => `channel ${index} of ${tellPort(port)}`),
  ];
  return meanings.every(meaning => meaning === meanings[0])
    ? `and there are ${meanings.length} of ${meanings[0]}; give each a field of its own, which names it`
    : `which may be ${meanings.join(' or ')}; give one of them another name`;
};

/** @param {NamedPort} port */
const tellPort = ({ vatName, name }) => `port ${quote(name)} of vat ${quote(vatName)}`;
