// Finds cycles of connections without a reaction on them, which the graph of reactions does not show. A value would go
// round at one tag, and a search for its source would never end.

import { UserError } from '#model';
import { Outlet } from './outlet.js';

/** @import { AnyPort } from './port.js' */

/** A channel. @typedef {[port: AnyPort, index: number]} Place */

/** Names of a cycle in an error, at most. */
const mostNames = 20;

/**
 * The sources of a channel at zero delay: one channel, or one in each of some modes.
 *
 * @param {AnyPort} port
 * @param {number} index
 * @returns {Place[]}
 */
export const originsOf = (port, index) => {
  const from = port.fromAt(index);
  if (from === null || from === undefined) return [];
  if (!(from instanceof Outlet)) return [[from, port.fromIndexAt(index)]];
  return (port.slotAt(index)?.inlets ?? []).map(({ source, sourceIndex }) => [
    /** @type {AnyPort} */ (source),
    sourceIndex,
  ]);
};

/**
 * @param {Iterable<Place>} ends  where to begin; finds every cycle on which one of them lies or on which it depends
 * @param {(port: AnyPort, index: number) => Place[]} [origins]
 * @throws {UserError} for a cycle, with its ports
 */
export const insistNoCycle = (ends, origins = originsOf) => {
  /**
   * Channels that were seen, and whether all their sources were searched.
   *
   * @type {Map<AnyPort, Map<number, boolean>>}
   */
  const seen = new Map();
  /** @type {(place: Place) => Map<number, boolean>} */
  const channelsOf = ([port]) => {
    let channels = seen.get(port);
    if (channels === undefined) seen.set(port, (channels = new Map()));
    return channels;
  };
  for (const end of ends) {
    if (channelsOf(end).has(end[1])) continue;
    /** The path from the end, with the sources of each place that are still to be searched. @type {{ place: Place, rest: Place[] }[]} */
    const way = [{ place: end, rest: origins(...end) }];
    channelsOf(end).set(end[1], false);
    while (way.length > 0) {
      const { place, rest } = way[way.length - 1];
      const next = rest.pop();
      if (next === undefined) {
        channelsOf(place).set(place[1], true);
        way.pop();
        continue;
      }
      const isDone = channelsOf(next).get(next[1]);
      if (isDone === undefined) {
        channelsOf(next).set(next[1], false);
        way.push({ place: next, rest: origins(...next) });
      } else if (!isDone) {
        const at = way.findIndex(({ place: [port, i] }) => port === next[0] && i === next[1]);
        throw cycleOfConnections(way.slice(at).map(step => step.place));
      }
    }
  }
};

/**
 * A channel that is connected from itself, by connections of no mode.
 *
 * @param {AnyPort} port
 * @param {number} index
 */
export const plainCycle = (port, index) => {
  /** @type {Place[]} */
  const places = [];
  let at = /** @type {Place} */ ([port, index]);
  do {
    places.push(at);
    at = [/** @type {AnyPort} */ (at[0].fromAt(at[1])), at[0].fromIndexAt(at[1])];
  } while (at[0] !== port || at[1] !== index);
  return cycleOfConnections(places);
};

/** @param {Place[]} backwards  each connected from the next one, the last from the first */
const cycleOfConnections = backwards => {
  const names = backwards.map(([port, index]) => port.channelPath(index)).reverse();
  // The path begins at the first name in order, so that the text does not depend on the search.
  const first = names.indexOf([...names].sort()[0]);
  const turned = [...names.slice(first), ...names.slice(0, first)];
  const told = turned.slice(0, mostNames);
  if (turned.length > mostNames) told.push(`${turned.length - mostNames} more`);
  return new UserError(
    `zero-delay cycle of connections: ${[...told, turned[0]].join(' → ')}; break it with an "after" delay`,
  );
};
