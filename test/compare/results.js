// The text of a result, as the runner of 2020 and this one print it, decoded so that two of them can be compared:
// `fulfilled: {capdata}`, `rejected: {capdata}`, `still pending` (bootstrap), `did not finish` (a round).
// The body may be of either generation, `@qclass` or smallcaps; what it says is brought to one form.

/** @typedef {import('#model').CapData} CapData */

/**
 * @typedef {{ state: 'unsettled' } | { state: 'fulfilled' | 'rejected', value: unknown }} Result
 * A `value` is plain data; what JSON cannot hold is a one-field record like `{ $: 'undefined' }` or
 * `{ $slot: 'ko20' }`.
 */

/**
 * JSON as the old runner printed it: a reference at top level is `{"@qclass":"slot",index:0}`, its key unquoted.
 *
 * @param {string} text
 * @returns {any}
 */
export const parseLooseJson = text => {
  try {
    return JSON.parse(text);
  } catch {
    const quoted = text.replace(
      /("(?:[^"\\]|\\.)*")|([{,]\s*)([A-Za-z_]\w*)(?=\s*:)/g,
      (_all, string, before, key) => string ?? `${before}"${key}"`,
    );
    return JSON.parse(quoted);
  }
};

/**
 * @param {any} node  parsed `@qclass` body
 * @param {string[]} slots
 * @returns {unknown}
 */
const fromQclass = (node, slots) => {
  if (Array.isArray(node)) return node.map(item => fromQclass(item, slots));
  if (typeof node !== 'object' || node === null) return node;
  const kind = node['@qclass'];
  switch (kind) {
    case undefined:
      return Object.fromEntries(
        Object.entries(node).map(([key, value]) => [key, fromQclass(value, slots)]),
      );
    case 'slot':
      return { $slot: slots[node.index] };
    case 'bigint':
      return { $bigint: node.digits };
    case 'error':
      return { $error: node.name, message: node.message };
    case 'symbol':
      return { $symbol: node.name };
    case 'tagged':
      return { $tag: node.tag, payload: fromQclass(node.payload, slots) };
    case 'ibid':
      return { $ibid: node.index };
    default:
      // undefined, NaN, Infinity, -Infinity, -0
      return { $: kind };
  }
};

/**
 * @param {any} node  parsed smallcaps body
 * @param {string[]} slots
 * @returns {unknown}
 */
const fromSmallcaps = (node, slots) => {
  if (Array.isArray(node)) return node.map(item => fromSmallcaps(item, slots));
  if (typeof node === 'string') {
    const rest = node.slice(1);
    switch (node[0]) {
      case '!':
        return rest;
      case '#':
        return { $: rest };
      case '+':
        return { $bigint: rest };
      case '-':
        return { $bigint: node };
      case '%':
        return { $symbol: rest };
      case '$':
      case '&':
        return { $slot: slots[Number.parseInt(rest, 10)] };
      default:
        return node;
    }
  }
  if (typeof node !== 'object' || node === null) return node;
  const message = node['#error'];
  if (message !== undefined) {
    return { $error: node.name, message: fromSmallcaps(message, slots) };
  }
  const tag = node['#tag'];
  if (tag !== undefined) {
    return {
      $tag: fromSmallcaps(tag, slots),
      payload: fromSmallcaps(node.payload, slots),
    };
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      fromSmallcaps(key, slots),
      fromSmallcaps(value, slots),
    ]),
  );
};

/**
 * @param {CapData} data
 * @returns {unknown}
 */
export const decodeCapData = ({ body, slots }) =>
  body.startsWith('#')
    ? fromSmallcaps(JSON.parse(body.slice(1)), slots)
    : fromQclass(parseLooseJson(body), slots);

/**
 * @param {string} text
 * @returns {Result}
 */
export const parseResult = text => {
  if (text === 'still pending' || text === 'did not finish') return { state: 'unsettled' };
  const found = /^(fulfilled|rejected): (.*)$/s.exec(text);
  if (!found) {
    throw TypeError(
      `${JSON.stringify(text)} is not a result; it would be "fulfilled: {capdata}", "rejected: {capdata}", "still pending" or "did not finish"`,
    );
  }
  return {
    state: /** @type {'fulfilled' | 'rejected'} */ (found[1]),
    value: decodeCapData(parseLooseJson(found[2])),
  };
};

/**
 * A text that is equal for equal results: keys sorted, references by kref.
 *
 * @param {string} text
 */
export const normalizeResult = text => {
  const result = parseResult(text);
  return result.state === 'unsettled' ? 'unsettled' : `${result.state} ${stableJson(result.value)}`;
};

/**
 * @param {unknown} value
 * @returns {string}
 */
const stableJson = value =>
  JSON.stringify(value, (_key, node) =>
    typeof node === 'object' && node !== null && !Array.isArray(node)
      ? Object.fromEntries(Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1)))
      : node,
  );
