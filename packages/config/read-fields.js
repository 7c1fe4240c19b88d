// Checks one object of a config file: an unknown field or a wrong value is an error with its path in the file.

import { didYouMean, isRecord, quote, UserError } from '#model';

/** @import { Fields } from './config-fields.js' */

/**
 * The state of reading one file.
 *
 * @typedef {object} Reading
 * @property {string} shown  the file's name in messages
 * @property {string} folder  the file's folder; specs are relative to it
 * @property {string[]} notices
 */

/**
 * @param {Reading} reading
 * @param {string} path  in the file, as `vats.bob`; empty for the whole file
 * @param {unknown} value
 * @param {Fields} fields
 * @param {'field' | 'option'} [kind]
 * @returns {Record<string, any>}
 */
export const readFields = ({ shown, notices }, path, value, fields, kind = 'field') => {
  const subject = path === '' ? shown : `${shown}: ${path}`;
  if (!isRecord(value)) throw new UserError(`${subject} must be an object, got ${describe(value)}`);
  const within = path === '' ? '' : `${path}.`;
  for (const [name, content] of Object.entries(value)) {
    if (name === 'bundleHash') {
      throw new UserError(
        `${subject} has "bundleHash"; a bundle is named by "bundleName" or read by "bundleSpec"`,
      );
    }
    if (!Object.hasOwn(fields, name)) {
      const known = Object.keys(fields).filter(field => !field.startsWith('$'));
      const hint = didYouMean(name, known) || `; known are ${known.map(quote).join(', ')}`;
      throw new UserError(`${subject} has the unknown ${kind} ${quoteShort(name)}${hint}`);
    }
    const { check, expects, notice } = fields[name];
    if (!check(content)) {
      throw new UserError(
        `${shown}: ${within}${name} must be ${expects}, got ${describe(content)}`,
      );
    }
    const said = notice?.(content);
    if (said) notices.push(`${shown}: ${within}${name} ${said}`);
  }
  return value;
};

/** Characters of a text that an error shows. */
const longestShown = 100;

/** Quote a string, and cut it if it is long. @param {string} text */
export const quoteShort = text =>
  text.length <= longestShown
    ? quote(text)
    : `${quote(text.slice(0, longestShown)).slice(0, -1)}…"`;

/** A short name of any value, for errors. @param {unknown} value */
export const describe = value => {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) {
    const text = JSON.stringify(value);
    return text.length <= longestShown ? text : 'an object';
  }
  return typeof value === 'string' ? quoteShort(value) : quote(value);
};
