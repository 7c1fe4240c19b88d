// The connections of the config, made when the last of its vats has started: maps names to channels, finds programs and
// stages, and refuses wrong connections.

import { numberOfId, quote } from '#model';
import { findStages } from '#schedule';
import { channelName, PortNames } from './port-names.js';
import { stopAt } from './ports.js';
import { WiringError } from './wiring-error.js';
import { parsePlan } from './wiring-plan.js';

/** @import { PortTarget, ReactorRow } from './reactor-rows.js' */
/** @import { End, Side } from './port-names.js' */
/** @import { PlannedConnection, PlannedPorts, WiringPlan } from './wiring-plan.js' */
/** @import { KernelState } from '../tables/state.js' */

const plan = 'reactors';

/** Ports or places that a message names, at most. */
const mostTold = 5;

/**
 * @param {KernelState} state
 * @param {WiringPlan} wanted
 */
export const planWiring = (state, wanted) => {
  state.reactors.plans.set(plan, JSON.stringify(wanted));
};

/**
 * Make the planned connections, unless they are made already.
 *
 * @param {KernelState} state
 * @throws {WiringError} for a wrong connection, or a cycle without delay
 */
export const wire = state => {
  const { reactors } = state;
  const text = reactors.plans.get(plan);
  if (text === undefined) return;
  reactors.plans.delete(plan);
  const { connections, timeoutNs } = parsePlan(text);
  const vatIds = [...reactors.rows.keys()];
  if (timeoutNs >= 0) {
    if (vatIds.length === 0)
      throw new WiringError(
        'reactors.timeout',
        ' is set, but no vat of the config exports buildReactor; take it out',
      );
    for (const vatId of vatIds)
      stopAt(state, reactors.require(vatId), { timeNs: timeoutNs, microstep: 0 });
  }
  if (connections.length === 0) return;
  const wirer = new Wirer(state);
  connections.forEach((connection, i) => wirer.connect(connection, i));
  wirer.finish();
};

class Wirer {
  #state;

  #names;

  /** @type {Map<string, PortTarget[][]>} targets by vat and output channel */
  #targets = new Map();

  /** Source and connection of each input channel, by `v3 0`. @type {Map<string, { name: string, number: number }>} */
  #sources = new Map();

  /** @param {KernelState} state */
  constructor(state) {
    this.#state = state;
    this.#names = new PortNames(state);
    for (const [vatId, { outputs }] of state.reactors.rows.entries())
      this.#targets.set(
        vatId,
        Array.from({ length: outputs }, () => []),
      );
  }

  /**
   * @param {PlannedConnection} connection
   * @param {number} number  its place in the plan
   */
  connect({ from, to, afterNs = -1, physical = false, repeat = false, partial = false }, number) {
    const place = tellPlace(number);
    const fromSide = this.#expand(`${place}.from`, from, 'outputs');
    const toSide = this.#expand(`${place}.to`, to, 'inputs');
    const sources = fromSide.ends;
    const targets = toSide.ends;
    const width = sources.length;
    const wanted = targets.length;
    if (repeat ? width === 0 && wanted > 0 : width !== wanted && !partial) {
      const remedy = repeat
        ? 'there is nothing to repeat'
        : 'make the widths equal, or set "repeat" to broadcast or "partial" to leave the rest unconnected';
      throw new WiringError(
        place,
        `: "from" has ${tellWidth(width)}, of ${fromSide.told}; "to" has ${tellWidth(wanted)}, of ${toSide.told}; ${remedy}`,
      );
    }
    const count = repeat ? wanted : Math.min(width, wanted);
    for (let i = 0; i < count; i += 1) {
      const source = sources[i % width];
      const target = targets[i];
      const key = endKey(target.vatId, target.channel);
      const known = this.#sources.get(key);
      if (known !== undefined) {
        throw new WiringError(
          `${place}.to`,
          `: ${target.name} has two sources, ${known.name} (${tellPlace(known.number)}) and ${source.name}; an input takes one, so merge them in a reactor or use a multiport`,
        );
      }
      this.#sources.set(key, { name: source.name, number });
      const { vatId, channel } = target;
      this.#targets
        .get(source.vatId)
        ?.[source.channel].push({ vatId, channel, delayNs: afterNs, isPhysical: physical });
    }
  }

  /**
   * @param {string} place
   * @param {PlannedConnection['from']} given
   * @param {Side} side
   * @returns {{ ends: End[], told: string }}  `told` names the ports with their widths
   */
  #expand(place, given, side) {
    /** @type {string[]} */
    const told = [];
    const read = (/** @type {string} */ at, /** @type {string} */ name) => {
      const ends = this.#names.channels(at, name, side);
      if (told.length <= mostTold) told.push(`${quote(name)} (${ends.length})`);
      return ends;
    };
    const expand = (/** @type {PlannedPorts} */ item, /** @type {string} */ at) =>
      typeof item === 'string'
        ? read(at, item)
        : inTurn(item.interleaved.map((name, i) => read(`${at}.interleaved[${i}]`, name)));
    const ends = Array.isArray(given)
      ? given.flatMap((item, i) => expand(item, `${place}[${i}]`))
      : expand(given, place);
    const shown = told.slice(0, mostTold).join(', ');
    return { ends, told: told.length > mostTold ? `${shown} …` : shown || 'no port' };
  }

  /** Finds programs and stages, and writes everything to the tables. */
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
      // The cycle is told from the vat with the lowest number, wherever the search found it.
      const first = found.cycle.findIndex(
        ({ vat }) => vat === Math.min(...found.cycle.map(step => step.vat)),
      );
      const turned = [...found.cycle.slice(first), ...found.cycle.slice(0, first)];
      const steps = turned.flatMap(({ vat, input, output }) => {
        const { inputs, outputs } = rows[vat].shape;
        const { name } = this.#state.vats.require(vatIds[vat]);
        return [`${name}.${channelName(inputs, input)}`, `${name}.${channelName(outputs, output)}`];
      });
      const numbers = turned.map(
        ({ vat, input }) => this.#sources.get(endKey(vatIds[vat], input))?.number ?? 0,
      );
      throw new WiringError(
        tellPlaces(numbers),
        `: zero-delay cycle through vats: ${[...steps, steps[0]].join(' → ')}; break it with an "after" delay on a connection, or an action in a vat`,
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
    reactors.regroup();
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
 * The first channel of each, then the second of each, and so on.
 *
 * @param {End[][]} each
 */
const inTurn = each => {
  const longest = Math.max(0, ...each.map(({ length }) => length));
  /** @type {End[]} */
  const ends = [];
  for (let i = 0; i < longest; i += 1)
    for (const channels of each) if (i < channels.length) ends.push(channels[i]);
  return ends;
};

/** @param {string} vatId @param {number} channel */
const endKey = (vatId, channel) => `${vatId} ${channel}`;

/** The place of a connection in the config. @param {number} number */
const tellPlace = number => `connections[${number}]`;

/** The places without repetition, in the order of the config. @param {number[]} numbers */
const tellPlaces = numbers => {
  const places = [...new Set(numbers)].sort((a, b) => a - b).map(tellPlace);
  const shown = places.slice(0, mostTold).join(', ');
  return places.length > mostTold ? `${shown} …` : shown;
};

/** @param {number} width */
const tellWidth = width => `${width} ${width === 1 ? 'channel' : 'channels'}`;
