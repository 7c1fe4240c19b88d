// The connections of the config as the state keeps them until they are made.

import { forms, isRecord } from '#model';
import { parseFields } from '../tables/row-fields.js';

/** @import { Form } from '#model' */

const { count, flag, listOf, orAbsent, recordOf, texts, whole } = forms;

/**
 * Interleaved ports: the first channel of each, then the second of each, and so on.
 *
 * @typedef {{ interleaved: string[] }} InterleavedPorts
 */

/**
 * Ports as `vat.port`, or channels of a multiport as `vat.port[3]`.
 *
 * @typedef {string | InterleavedPorts} PlannedPorts
 */

/**
 * A connection as it stands in the config, so that errors can name places there.
 *
 * @typedef {object} PlannedConnection
 * @property {PlannedPorts | PlannedPorts[]} from
 * @property {PlannedPorts | PlannedPorts[]} to
 * @property {number} [afterNs]  delay in nanoseconds; 0 is the next microstep; by default the same tag
 * @property {boolean} [physical]
 * @property {boolean} [repeat]  the sources are repeated until all targets have one
 * @property {boolean} [partial]  channels of the longer side may stay unconnected
 */

/**
 * @typedef {{ connections: PlannedConnection[], timeoutNs: number }} WiringPlan  `timeoutNs` is -1 if there is no
 *   timeout
 */

/** @type {Form} */
const ports = [
  'names of ports',
  value => typeof value === 'string' || (isRecord(value) && texts[1](value.interleaved)),
];

/** @type {Form} */
const side = ['names of ports, or a list of them', value => [value].flat().every(ports[1])];

const planForms = Object.freeze({
  connections: listOf(
    recordOf({
      ...{ from: side, to: side, afterNs: orAbsent(count) },
      ...{ physical: orAbsent(flag), repeat: orAbsent(flag), partial: orAbsent(flag) },
    }),
  ),
  timeoutNs: whole,
});

/**
 * @param {string} written
 * @returns {WiringPlan}
 * @throws {Error} it is no plan
 */
export const parsePlan = written => parseFields(written, planForms);
