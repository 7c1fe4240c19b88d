// Describes a rejection's data, in both notations, for messages to people.

/** @import { CapData } from '#model' */

/**
 * The name and message of an error in capdata, and its id if it has one; `undefined` if it is something else.
 *
 * @param {CapData} data
 * @returns {{ name: string, message: string, errorId?: string } | undefined}
 */
export const parseError = ({ body }) => {
  const isSmallcaps = body.startsWith('#');
  const parsed = parse(isSmallcaps ? body.slice(1) : body);
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  if (!isSmallcaps) {
    if (parsed['@qclass'] !== 'error') return undefined;
    return { name: String(parsed.name), message: String(parsed.message) };
  }
  const message = parsed['#error'];
  if (typeof message !== 'string') return undefined;
  // Smallcaps puts `!` before a text that begins with one of its own signs.
  const plain = (/** @type {string} */ text) => (text.startsWith('!') ? text.slice(1) : text);
  const { errorId } = parsed;
  return {
    ...{ name: plain(String(parsed.name)), message: plain(message) },
    ...(typeof errorId === 'string' && { errorId: plain(errorId) }),
  };
};

/** @param {string} text  may be anything, if a raw vat wrote it */
const parse = text => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
