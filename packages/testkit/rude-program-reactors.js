// The reactors of a random program: each vat's ports, and connections between them without a cycle of no delay.

import { stageOf } from './oracle/reference-reactors.js';
import { RudeReactor } from './rude-reactor.js';

/** @import { ReactorShape } from '#model' */
/** @import { WiringPlan } from '../kernel/reactors/wiring-plan.js' */
/** @import { Connection, Plan } from './oracle/reference-reactors.js' */
/** @import { Random } from './random.js' */

/**
 * The reactors of a program. `periodNs`, `shapes` and `isLinked`: by the names of its vats.
 *
 * @typedef {object} ProgramReactors
 * @property {Record<string, ReactorShape>} shapes
 * @property {Record<string, boolean>} isLinked
 * @property {Record<string, number>} periodNs
 * @property {boolean} liesInRuns
 * @property {Plan} plan  for the reference kernel
 * @property {WiringPlan} wiring  the same for the kernel
 */

/** @param {Random} random @returns {ReactorShape} */
export const makeShape = random => {
  const inputs = random.below(4);
  const outputs = random.below(4);
  return {
    inputs:
      inputs === 3
        ? [
            ['in', 2],
            ['x', 1],
          ]
        : [['in', inputs]],
    outputs:
      outputs === 3
        ? [
            ['y', 1],
            ['out', 2],
          ]
        : [['out', outputs]],
    actions: random.chance(0.6) ? ['a', 'b'] : [],
    dependencies: Array.from({ length: outputs }, () =>
      Array.from({ length: inputs }, (_, i) => i).filter(() => random.chance(0.4)),
    ),
    mayRequestStop: random.chance(0.4),
    hasRoot: random.chance(0.7),
  };
};

/** @param {ReactorShape['inputs']} ports @param {number} channel */
const nameOf = (ports, channel) => {
  let left = channel;
  for (const [name, width] of ports) {
    if (left < width) return `${name}[${left}]`;
    left -= width;
  }
  throw Error(`there is no channel ${channel}`);
};

/** @param {ReactorShape['inputs']} ports */
const countOf = ports => ports.reduce((sum, [, width]) => sum + width, 0);

/**
 * @param {Random} random
 * @param {readonly { name: string, starts: boolean }[]} vats  in the order of their ids
 * @returns {ProgramReactors}
 */
export const makeReactors = (random, vats) => {
  /** @type {ProgramReactors['shapes']} */
  const shapes = {};
  /** @type {ProgramReactors['isLinked']} */
  const isLinked = {};
  for (const { name, starts } of vats) {
    if (!starts || random.chance(0.15)) continue;
    shapes[name] = makeShape(random);
    isLinked[name] = random.chance(0.85);
  }
  const ids = Object.fromEntries(vats.map(({ name }, i) => [name, `v${i + 1}`]));
  const linked = Object.keys(shapes).filter(name => isLinked[name]);
  const world = {
    reactors: new Map(
      linked.map(name => [ids[name], /** @type {any} */ ({ shape: shapes[name] })]),
    ),
  };
  /** @type {Connection[]} */
  const connections = [];
  /** @type {WiringPlan['connections']} */
  const planned = [];
  for (const to of linked) {
    for (let input = 0; input < countOf(shapes[to].inputs); input += 1) {
      const from = random.pick(linked);
      const outputs = countOf(shapes[from].outputs);
      if (outputs === 0 || random.chance(0.2)) continue;
      const output = random.below(outputs);
      const afterNs = random.pick([-1, -1, -1, 0, 500, 1700, 2 ** 53 - 5000]);
      const isPhysical = random.chance(0.1);
      const connection = { from: ids[from], output, to: ids[to], input, afterNs, isPhysical };
      connections.push(connection);
      const isCycle = connections.some(
        each => stageOf(world, connections, each.to, each.input) === undefined,
      );
      if (isCycle) connection.afterNs = random.pick([0, 300]);
      planned.push({
        from: `${from}.${nameOf(shapes[from].outputs, output)}`,
        to: `${to}.${nameOf(shapes[to].inputs, input)}`,
        ...(connection.afterNs >= 0 && { afterNs: connection.afterNs }),
        physical: isPhysical,
      });
    }
  }
  const timeoutNs = linked.length > 0 && random.chance(0.3) ? random.pick([0, 900, 4000]) : -1;
  return {
    ...{ shapes, isLinked },
    periodNs: Object.fromEntries(vats.map(({ name }) => [name, random.pick([300, 500, 1700])])),
    liesInRuns: random.chance(0.6),
    plan: { connections, timeoutNs },
    wiring: { connections: planned, timeoutNs },
  };
};

/**
 * @param {ProgramReactors} reactors
 * @param {string} seed
 * @param {string} name  of the vat
 * @param {number} lying  probability of a lie
 */
export const reactorOf = ({ shapes, isLinked, periodNs, liesInRuns }, seed, name, lying) =>
  new RudeReactor({
    ...{ seed: `${seed}/${name}/reactors`, shape: shapes[name], lying, liesInRuns },
    ...{ liesAtStart: !isLinked[name], periodNs: periodNs[name] ?? 500 },
  });
