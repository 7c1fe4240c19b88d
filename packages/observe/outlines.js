// The reactors of a run's vats as plain data, for a diagram: each vat's own outline, and the connections of the config
// between their ports.

import { findChannel } from '#kernel';
import { insistOptions, quote, UserError } from '#model';

/** @import { Kernel } from '#kernel' */
/** @import { Outline } from '#reactor' */
/** @import { Supervisor } from '#vat' */

/**
 * A connection between ports of two vats' root reactors: all channels between the two ports with one delay and kind.
 *
 * @typedef {object} OutlinedConnection
 * @property {{ vat: string, port: string }} from
 * @property {{ vat: string, port: string }} to
 * @property {number} channels  the number of channels
 * @property {[from: number, to: number, count: number][]} runs  `count` channels from index `from` on are connected to
 *   those from index `to` on
 * @property {number | null} delayNs  the delay of `after`; null if there is none
 * @property {boolean} isPhysical
 */

/** @typedef {{ vats: { name: string, outline: Outline }[], connections: OutlinedConnection[] }} Outlines */

/**
 * @param {Kernel} kernel  its vats have started
 * @param {ReadonlyMap<string, Supervisor>} supervisors  by vat id
 * @param {{ maxBank?: number }} options
 * @returns {Outlines}  in the order of the vats' ids; vats without reactors are left out
 * @throws {TypeError} if an option is unknown or has the wrong type
 * @throws {UserError} if a vat with reactors runs on another thread
 */
export const outlineVats = (kernel, supervisors, options) => {
  insistOptions('outlines()', options, { maxBank: 'number' });
  const { rows } = kernel.state.reactors;
  /** @type {Outlines} */
  const outlines = { vats: [], connections: [] };
  for (const [vatId, { stages }] of rows.entries()) {
    const name = kernel.vatName(vatId) ?? vatId;
    const supervisor = supervisors.get(vatId);
    if (supervisor === undefined && kernel.vat(vatId).isStatic)
      throw new UserError(
        `vat ${quote(name)} has reactors and runs on another thread, where it cannot be outlined; make the simulation with workers: 0`,
      );
    const outline = supervisor?.outline?.({ ...options, stages });
    if (outline === undefined) continue;
    outlines.vats.push({ name, outline: /** @type {Outline} */ (outline) });
  }
  /** @type {Map<string, OutlinedConnection>} */
  const known = new Map();
  for (const [vatId, { shape, targets }] of rows.entries()) {
    for (const [channel, leadsTo] of targets.entries()) {
      const from = findChannel(shape.outputs, channel);
      for (const { vatId: toId, channel: toChannel, delayNs, isPhysical } of leadsTo) {
        const to = findChannel(rows.get(toId)?.shape.inputs ?? [], toChannel);
        const key = JSON.stringify([vatId, from.port, toId, to.port, delayNs, isPhysical]);
        let connection = known.get(key);
        if (connection === undefined) {
          connection = {
            from: { vat: kernel.vatName(vatId) ?? vatId, port: from.port },
            to: { vat: kernel.vatName(toId) ?? toId, port: to.port },
            channels: 0,
            runs: [],
            delayNs: delayNs < 0 ? null : delayNs,
            isPhysical,
          };
          known.set(key, connection);
          outlines.connections.push(connection);
        }
        connection.channels += 1;
        addToRuns(connection.runs, from.index, to.index);
      }
    }
  }
  return outlines;
};

/**
 * @param {OutlinedConnection['runs']} runs
 * @param {number} from
 * @param {number} to
 */
const addToRuns = (runs, from, to) => {
  const last = runs.at(-1);
  if (last !== undefined && from === last[0] + last[2] && to === last[1] + last[2]) last[2] += 1;
  else runs.push([from, to, 1]);
};
