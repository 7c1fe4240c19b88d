// Reads `connections` and `reactors`, by which a config joins the reactors of its vats. The kernel looks up the vats
// and ports when the vats have started (packages/kernel/reactors/wiring.js).

import { isRecord, parseDuration, quote, UserError } from '#model';

import { connectionFields, interleavedFields, reactorFields } from './config-fields.js';
import { describe, readFields } from './read-fields.js';

/** @import { PlannedPorts, WiringPlan } from '#kernel' */
/** @import { Reading } from './read-fields.js' */

/**
 * @param {Reading} reading
 * @param {unknown[]} connections
 * @param {unknown} reactors
 * @returns {WiringPlan}
 * @throws {UserError} for a wrong field, an empty list, or a duration without a unit
 */
export const readWiring = (reading, connections, reactors) => {
  const { timeout } = readFields(reading, 'reactors', reactors, reactorFields);
  return {
    timeoutNs: timeout === undefined ? -1 : readDuration(reading, 'reactors.timeout', timeout),
    connections: connections.map((value, i) => readConnection(reading, `connections[${i}]`, value)),
  };
};

/**
 * @param {Reading} reading
 * @param {string} path
 * @param {unknown} value
 * @returns {WiringPlan['connections'][number]}
 */
const readConnection = (reading, path, value) => {
  const subject = `${reading.shown}: ${path}`;
  if (!isRecord(value)) {
    throw new UserError(
      `${subject} must be an object with "from" and "to", got ${describe(value)}`,
    );
  }
  if (Object.hasOwn(value, 'interleaved')) {
    throw new UserError(
      `${subject} has "interleaved"; it belongs in "from" or "to": { "from": { "interleaved": [ports] }, "to": … }`,
    );
  }
  const { from, to, after, physical, repeat, partial } = readFields(
    reading,
    path,
    value,
    connectionFields,
  );
  if (from === undefined || to === undefined) {
    const missing = from === undefined ? 'from' : 'to';
    throw new UserError(`${subject} has no ${quote(missing)}; it needs both "from" and "to"`);
  }
  return {
    from: readPorts(reading, `${path}.from`, from),
    to: readPorts(reading, `${path}.to`, to),
    ...(after !== undefined && { afterNs: readDuration(reading, `${path}.after`, after) }),
    ...(physical && { physical }),
    ...(repeat && { repeat }),
    ...(partial && { partial }),
  };
};

/**
 * @param {Reading} reading
 * @param {string} path
 * @param {unknown} value  a port, interleaved ports, or a list of these
 * @returns {PlannedPorts | PlannedPorts[]}
 */
const readPorts = (reading, path, value) => {
  if (!Array.isArray(value)) return readItem(reading, path, value);
  if (value.length === 0) throw emptyList(reading, path);
  return value.map((item, i) => readItem(reading, `${path}[${i}]`, item));
};

/**
 * @param {Reading} reading
 * @param {string} path
 * @param {unknown} item
 * @returns {PlannedPorts}
 */
const readItem = (reading, path, item) => {
  if (typeof item === 'string') return item;
  if (!isRecord(item)) {
    throw new UserError(
      `${reading.shown}: ${path} must be a port as "vat.port" or "vat.port[0]", or { "interleaved": [ports] }, got ${describe(item)}`,
    );
  }
  const { interleaved } = readFields(reading, path, item, interleavedFields);
  if (interleaved === undefined) {
    throw new UserError(
      `${reading.shown}: ${path} has no "interleaved"; an object there is { "interleaved": [ports] }`,
    );
  }
  if (interleaved.length === 0) throw emptyList(reading, `${path}.interleaved`);
  return { interleaved };
};

/** @param {Reading} reading @param {string} path */
const emptyList = ({ shown }, path) =>
  new UserError(
    `${shown}: ${path} is an empty list; name at least one port, or take the connection out`,
  );

/**
 * @param {Reading} reading
 * @param {string} path
 * @param {string | number} value
 * @returns {number} ns
 */
const readDuration = ({ shown }, path, value) => {
  const isBare =
    typeof value === 'number' ? value !== 0 : value !== '0' && /^\d+(\.\d+)?$/.test(value);
  if (isBare) {
    throw new UserError(
      `${shown}: ${path} is ${describe(value)}, without a unit; write "${value} ms", or with another of ns, us, ms, s, min, h and d`,
    );
  }
  try {
    return parseDuration(value);
  } catch (error) {
    throw new UserError(`${shown}: ${path}: ${/** @type {Error} */ (error).message}`);
  }
};
