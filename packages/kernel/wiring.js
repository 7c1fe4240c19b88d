// The connections of the config, made when the last of its vats has started: names become channels, programs and stages
// are found, and what cannot be is refused.

import { numberOfId, quote, UserError } from '#model';
import { findStages } from '#schedule';

/** @import { ReactorShape } from './crank/flight.js' */
/** @import { PortTarget, ReactorRow } from './keepers/reactors.js' */
/** @import { KernelState } from './state.js' */

/**
 * Ports that are taken in turn, channel by channel: the first of each, then the second of each.
 *
 * @typedef {{ interleaved: string[] }} InterleavedPorts
 */

/**
 * A connection of the config: ports as `vat.port`, or channels of a multiport as `vat.port[3]`.
 *
 * @typedef {object} PlannedConnection
 * @property {(string | InterleavedPorts)[]} from
 * @property {(string | InterleavedPorts)[]} to
 * @property {number} [afterNs]  0 is the next microstep; without it, the same tag
 * @property {boolean} [physical]
 * @property {boolean} [repeat]  the sources begin again when they are used up
 * @property {boolean} [partial]  the longer side may have channels left over
 */

/** @typedef {{ connections: PlannedConnection[], timeoutNs: number }} WiringPlan  without a timeout, -1 */

/** A channel of a vat. @typedef {{ vatId: string, channel: number, name: string }} End */

const plan = 'reactors';

/**
 * @param {KernelState} state
 * @param {WiringPlan} wanted
 */
export const planWiring = (state, wanted) => {
  state.reactors.plans.set(plan, JSON.stringify(wanted));
};

/**
 * Make what was planned, if it has not been made.
 *
 * @param {KernelState} state
 * @throws {UserError} for a connection that cannot be, and a cycle without delay
 */
export const wire = state => {
  const { reactors } = state;
  const text = reactors.plans.get(plan);
  if (text === undefined) return;
  reactors.plans.delete(plan);
  /** @type {WiringPlan} */
  const { connections, timeoutNs } = JSON.parse(text);
  const vatIds = [...reactors.rows.keys()];
  if (timeoutNs >= 0) {
    if (vatIds.length === 0)
      throw new UserError('a timeout is set for reactors, and no vat of the config has any');
    for (const vatId of vatIds) {
      const agenda = reactors.change(reactors.require(vatId));
      agenda.stopTimeNs = timeoutNs;
      agenda.stopMicrostep = 0;
    }
  }
  if (connections.length === 0) return;
  const wirer = new Wirer(state);
  for (const connection of connections) wirer.connect(connection);
  wirer.finish();
};

/**
 * A port's channels, in the order of the vat's ports.
 *
 * @param {ReactorShape['inputs']} ports
 * @param {string} name
 * @returns {[first: number, width: number] | undefined}
 */
const findPort = (ports, name) => {
  let first = 0;
  for (const [other, width] of ports) {
    if (other === name) return [first, width];
    first += width;
  }
  return undefined;
};

/**
 * @param {ReactorShape['inputs']} ports
 * @param {number} channel
 */
export const channelName = (ports, channel) => {
  let first = 0;
  for (const [name, width] of ports) {
    if (channel < first + width) return width === 1 ? name : `${name}[${channel - first}]`;
    first += width;
  }
  return String(channel);
};

class Wirer {
  #state;

  /** @type {Map<string, PortTarget[][]>} of each vat, by output channel */
  #targets = new Map();

  /** What leads to an input, by `v3 0`. @type {Map<string, string>} */
  #sources = new Map();

  /** @param {KernelState} state */
  constructor(state) {
    this.#state = state;
    for (const [vatId, { outputs }] of state.reactors.rows.entries())
      this.#targets.set(
        vatId,
        Array.from({ length: outputs }, () => []),
      );
  }

  /** @param {string} vatId */
  #nameOf(vatId) {
    return this.#state.vats.require(vatId).name;
  }

  /** @param {PlannedConnection} connection */
  connect({ from, to, afterNs = -1, physical = false, repeat = false, partial = false }) {
    if (from.length === 0 || to.length === 0)
      throw new UserError(
        `connections: one has no ports in "${from.length === 0 ? 'from' : 'to'}"; give it at least one, or take the connection out`,
      );
    const sources = from.flatMap(item => this.#expand(item, 'outputs'));
    const targets = to.flatMap(item => this.#expand(item, 'inputs'));
    const width = sources.length;
    const wanted = targets.length;
    if (repeat ? width === 0 && wanted > 0 : width !== wanted && !partial) {
      throw new UserError(
        `a connection from ${listNames(from, width)} to ${listNames(to, wanted)}: make the widths equal, or set "repeat" to broadcast or "partial" to leave the rest unconnected`,
      );
    }
    const count = repeat ? wanted : Math.min(width, wanted);
    for (let i = 0; i < count; i += 1) {
      const source = sources[i % width];
      const target = targets[i];
      const key = `${target.vatId} ${target.channel}`;
      const known = this.#sources.get(key);
      if (known !== undefined) {
        throw new UserError(
          `${target.name} has two sources, ${known} and ${source.name}; an input takes one, so merge them in a reactor or use a multiport`,
        );
      }
      this.#sources.set(key, source.name);
      const { vatId, channel } = target;
      this.#targets
        .get(source.vatId)
        ?.[source.channel].push({ vatId, channel, delayNs: afterNs, isPhysical: physical });
    }
  }

  /**
   * @param {string | InterleavedPorts} item
   * @param {'inputs' | 'outputs'} side
   * @returns {End[]}
   */
  #expand(item, side) {
    if (typeof item === 'string') return this.#channels(item, side);
    const each = item.interleaved.map(name => this.#channels(name, side));
    const longest = Math.max(0, ...each.map(({ length }) => length));
    /** @type {End[]} */
    const ends = [];
    for (let i = 0; i < longest; i += 1)
      for (const channels of each) if (i < channels.length) ends.push(channels[i]);
    return ends;
  }

  /**
   * @param {string} text
   * @param {'inputs' | 'outputs'} side
   * @returns {End[]}
   */
  #channels(text, side) {
    const { reactors } = this.#state;
    const found = /^(.+)\.([^.[\]]+)(?:\[(\d+)\])?$/.exec(text);
    if (found === null)
      throw new UserError(
        `connections: ${quote(text)} names no port; a port of a vat is like "vat.port" or "vat.port[3]"`,
      );
    const [, vatName, portName, index] = found;
    const vatId = this.#state.vats.findVatByName(vatName);
    const row = vatId === undefined ? undefined : reactors.rows.get(vatId);
    if (vatId === undefined || row === undefined) {
      const names = [...reactors.rows.keys()].map(id => quote(this.#nameOf(id)));
      const others =
        names.length === 0 ? 'no vat has' : `those with reactors are ${names.join(', ')}`;
      throw new UserError(
        vatId === undefined
          ? `connections: ${quote(text)}: there is no vat ${quote(vatName)}; ${others}`
          : `connections: ${quote(text)}: vat ${quote(vatName)} exports no buildReactor; ${others}`,
      );
    }
    const { shape } = row;
    const port = findPort(shape[side], portName);
    if (port === undefined) {
      const isOther =
        findPort(shape[side === 'inputs' ? 'outputs' : 'inputs'], portName) !== undefined;
      const what = side === 'inputs' ? 'an input' : 'an output';
      const names = shape[side].map(([name]) => quote(name));
      const listed =
        names.length === 0 ? `the vat has no ${side}` : `the vat's ${side} are ${names.join(', ')}`;
      throw new UserError(
        isOther
          ? `connections: ${quote(text)} is ${side === 'inputs' ? 'an output' : 'an input'}, and ${what} is wanted there: connections between vats go from outputs to inputs of their root reactors; ${listed}`
          : `connections: ${quote(text)}: the root reactor of vat ${quote(vatName)} has no port ${quote(portName)}; ${listed}`,
      );
    }
    const [first, width] = port;
    if (index !== undefined) {
      if (Number(index) >= width)
        throw new UserError(
          `connections: ${quote(text)}: the port has ${width} ${width === 1 ? 'channel' : 'channels'}, counted from 0`,
        );
      return [{ vatId, channel: first + Number(index), name: text }];
    }
    return Array.from({ length: width }, (_, i) => ({
      vatId,
      channel: first + i,
      name: width === 1 ? text : `${text}[${i}]`,
    }));
  }

  /** Programs, stages, and all of it into the tables. */
  finish() {
    const { reactors } = this.#state;
    const vatIds = [...this.#targets.keys()];
    const places = new Map(vatIds.map((vatId, i) => [vatId, i]));
    /** @type {(vatId: string) => number} */
    const placeOf = vatId => /** @type {number} */ (places.get(vatId));
    const programs = vatIds.map((_, i) => i);
    const crossings = [];
    for (const [vatId, outputs] of this.#targets) {
      for (const [output, targets] of outputs.entries()) {
        for (const { vatId: to, channel, delayNs, isPhysical } of targets) {
          join(programs, placeOf(vatId), placeOf(to));
          if (delayNs >= 0 || isPhysical) continue;
          crossings.push({ vat: placeOf(vatId), output, toVat: placeOf(to), input: channel });
        }
      }
    }
    const entries = vatIds.map(vatId => reactors.require(vatId));
    const rows = entries.map(({ row }) => row);
    const found = findStages(
      rows.map(({ inputs, shape: { dependencies } }) => ({ inputs, dependencies })),
      crossings,
    );
    if ('cycle' in found) {
      // It begins at the vat that was made first, however it was found.
      const first = found.cycle.findIndex(
        ({ vat }) => vat === Math.min(...found.cycle.map(step => step.vat)),
      );
      const turned = [...found.cycle.slice(first), ...found.cycle.slice(0, first)];
      const steps = turned.flatMap(({ vat, input, output }) => {
        const { inputs, outputs } = rows[vat].shape;
        const name = this.#nameOf(vatIds[vat]);
        return [`${name}.${channelName(inputs, input)}`, `${name}.${channelName(outputs, output)}`];
      });
      throw new UserError(
        `zero-delay cycle through vats: ${[...steps, steps[0]].join(' → ')}; break it with an "after" delay on a connection, or an action in a vat`,
      );
    }
    rows.forEach((row, i) => {
      reactors.rows.touch(row);
      const stages = found.stages[i];
      row.stages = stages.some(stage => stage > 0) ? stages : [];
      row.targets = this.#targets.get(vatIds[i]) ?? [];
      row.program = numberOfId(vatIds[rootOf(programs, i)]);
      if (row.stages.length > 0) reactors.change(entries[i]).knowsStages = false;
    });
  }
}

/**
 * @param {number[]} parents
 * @param {number} i
 */
const rootOf = (parents, i) => {
  let at = i;
  while (parents[at] !== at) at = parents[at];
  return at;
};

/**
 * @param {number[]} parents
 * @param {number} left
 * @param {number} right
 */
const join = (parents, left, right) => {
  const [a, b] = [rootOf(parents, left), rootOf(parents, right)];
  parents[Math.max(a, b)] = Math.min(a, b);
};

/**
 * @param {PlannedConnection['from']} items
 * @param {number} width
 */
const listNames = (items, width) => {
  const names = items
    .slice(0, 3)
    .map(item =>
      typeof item === 'string' ? quote(item) : `interleaved ${item.interleaved.join(', ')}`,
    );
  const more = items.length > 3 ? ' …' : '';
  return `${names.join(', ')}${more} (${width} ${width === 1 ? 'channel' : 'channels'})`;
};
