// Lists the connections between ports: they are noted at their destinations channel by channel, and reported port by
// port.

import { ResultPort } from './transient.js';
import { Outlet } from './outlet.js';

/** @import { AnyPort } from './port.js' */
/** @import { ReactorNode } from './node.js' */
/** @import { Making, OutlineConnection, OutlinePort, PortPlace } from './outline.js' */

/** Connections of one kind in one reactor, by the ports at their ends. @typedef {Map<OutlinePort, Map<OutlinePort, OutlineConnection>>} Ends */

/**
 * @param {Making} making
 * @returns {OutlineConnection[]}  in the order of their containers
 */
export const connectionsOf = making => {
  /** @type {OutlineConnection[]} */
  const connections = [];
  /** @type {Map<string, Ends>} */
  const kinds = new Map();
  for (const node of making.entryOf.keys()) {
    for (const port of node.ports) {
      if (port instanceof ResultPort) continue;
      for (let i = 0; i < port.width; i += 1) {
        const from = port.fromAt(i);
        if (from === null || from instanceof Outlet) continue;
        const kind = { mode: null, delayNs: null, isPhysical: false };
        add(from, port.fromIndexAt(i), port, i, kind);
      }
    }
    for (const outlet of node.outlets) {
      const { source, sourceIndex, destination, index, mode, delayNs, isPhysical } = outlet;
      if (source === null || destination === null || destination instanceof ResultPort) continue;
      add(source, sourceIndex, destination, index, {
        mode: mode && making.namesOf(mode.node)(mode),
        delayNs: delayNs < 0 ? null : delayNs,
        isPhysical,
      });
    }
  }
  return connections.sort((a, b) => a.container - b.container);

  /**
   * @param {AnyPort} source
   * @param {number} sourceIndex
   * @param {AnyPort} target
   * @param {number} index
   * @param {{ mode: string | null, delayNs: number | null, isPhysical: boolean }} kind
   */
  function add(source, sourceIndex, target, index, kind) {
    const from = making.placeOf.get(source);
    const to = making.placeOf.get(target);
    if (from === undefined || to === undefined) return;
    const isWithin = source.isInput || target.node.parent === source.node;
    const inside = /** @type {ReactorNode} */ (isWithin ? source.node : source.node.parent);
    const container = /** @type {import('./outline.js').Entry} */ (making.entryOf.get(inside));
    const ends = provide(
      kinds,
      `${container.reactor.id} ${kind.mode} ${kind.delayNs} ${kind.isPhysical}`,
      () => new Map(),
    );
    const connection = provide(
      provide(ends, from.port, () => new Map()),
      to.port,
      () => {
        const fresh = {
          container: container.reactor.id,
          from: endOf(from),
          to: endOf(to),
          channels: 0,
          runs: from.entry.isMany || to.entry.isMany ? null : [],
          ...kind,
        };
        connections.push(fresh);
        return fresh;
      },
    );
    connection.channels += 1;
    if (connection.runs !== null) addToRuns(connection.runs, sourceIndex, index);
  }
};

/** @param {PortPlace} place */
const endOf = ({ entry, port }) => ({ reactor: entry.reactor.id, port: port.name });

/**
 * @param {[from: number, to: number, count: number][]} runs
 * @param {number} from
 * @param {number} to
 */
const addToRuns = (runs, from, to) => {
  const last = runs.at(-1);
  if (last !== undefined && from === last[0] + last[2] && to === last[1] + last[2]) last[2] += 1;
  else runs.push([from, to, 1]);
};

/**
 * @template K, V
 * @param {Map<K, V>} map
 * @param {K} key
 * @param {() => V} make
 */
const provide = (map, key, make) => {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
};
