// Parses errors in capdata, in both notations, for messages to people.

/** @import { CapData } from '#model' */

/**
 * Parse the name, the message and, if present, the id of an error in capdata; `undefined` if it is not an error.
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
  // Smallcaps puts `!` before a string that begins with one of its special characters.
  const plain = (/** @type {string} */ text) => (text.startsWith('!') ? text.slice(1) : text);
  const { errorId } = parsed;
  return {
    ...{ name: plain(String(parsed.name)), message: plain(message) },
    ...(typeof errorId === 'string' && { errorId: plain(errorId) }),
  };
};

/** @param {string} text  may be any string, if a raw vat wrote it */
const parse = text => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
