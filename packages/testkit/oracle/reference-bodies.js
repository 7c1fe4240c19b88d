// Bodies that the reference kernel writes.

/** @import { CapData } from '#model' */
/** @import { ProfileName } from './world.js' */

/** Encode a string as in bodies. @param {ProfileName} profile @param {string} plain */
export const text = (profile, plain) =>
  JSON.stringify(profile === 'current' && /^[!-,-]/.test(plain) ? `!${plain}` : plain);

/**
 * Text and slots of a reason that a vat gave, as parts of a message of the kernel.
 *
 * @param {ProfileName} profile
 * @param {CapData} data
 * @returns {[text: string, slots: string[]]}
 */
export const reasonIn = (profile, { body, slots }) => {
  const unknown = text(profile, 'a value that cannot be read');
  const isMarked = body.startsWith('#');
  const given = profile === 'current' && isMarked ? body.slice(1) : body;
  let value;
  let isReadable = true;
  try {
    // Only references make bodies of random vats unreadable.
    value = JSON.parse(given, (_key, part) => {
      if (profile === 'current' && isMarked && typeof part === 'string' && /^[$&]/.test(part)) {
        const [index] = part.slice(1).split('.');
        const kind = slots[Number(index)]?.slice(0, 2) ?? '';
        isReadable &&= kind !== '' && (kind === 'kp') === (part[0] === '&');
      }
      if (profile === '2020-09' && part?.['@qclass'] === 'slot') isReadable &&= part.index in slots;
      return part;
    });
  } catch {
    return [unknown, []];
  }
  if (!isReadable) return [unknown, []];
  if (profile === '2020-09' || isMarked) return [given, slots];
  if (typeof value === 'string') return [text(profile, value), []];
  return [value === null || typeof value !== 'object' ? given : unknown, []];
};

/** @param {ProfileName} profile @param {string} message @returns {CapData} */
export const errorData = (profile, message) => {
  if (profile === '2020-09')
    return {
      body: JSON.stringify({ '@qclass': 'error', name: 'Error', message }),
      slots: [],
    };
  return { body: `#{"#error":${text(profile, message)},"name":"Error"}`, slots: [] };
};
