// Checks the options of functions that host programs call, their names and types, before anything is done with them. A
// misspelt name that is ignored silently would change the run.

import { quote } from './errors.js';
import { findNearestName } from './nearest-name.js';

/**
 * The rule for an option: a type as `typeof` names it (`object` without null and arrays), `array`, a list of allowed
 * values, or `any`.
 *
 * @typedef {'boolean' | 'string' | 'number' | 'function' | 'object' | 'array' | 'any' | readonly unknown[]} OptionRule
 */

/** Characters of a value that an error shows, at most. */
const mostText = 60;

/** @type {Readonly<Record<string, string>>} */
const typeNames = Object.freeze({
  boolean: 'true or false',
  string: 'a string',
  number: 'a number',
  function: 'a function',
  object: 'an object',
  array: 'an array',
});

/** A noun with its article: `a URL`, `an Object`, `an undefined`. @param {string} noun */
export const withArticle = noun => (/^([aeio]|un)/i.test(noun) ? `an ${noun}` : `a ${noun}`);

/** A value as an error shows it, never the contents of an object. @param {unknown} value */
export const describeGiven = value => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Promise) return 'a promise, which must be awaited';
  switch (typeof value) {
    case 'string':
      return `the string ${quote(value.length > mostText ? `${value.slice(0, mostText)}…` : value)}`;
    case 'function':
      return 'a function';
    case 'object':
      return 'an object';
    case 'bigint':
      return `${value}n`;
    default:
      return String(value);
  }
};

/** @param {unknown} value @param {OptionRule} rule */
const fits = (value, rule) => {
  if (rule === 'any') return true;
  if (typeof rule !== 'string') return rule.includes(value);
  if (rule === 'array' || Array.isArray(value)) return rule === 'array' && Array.isArray(value);
  return typeof value === rule && value !== null;
};

/** @param {OptionRule} rule */
const describeRule = rule =>
  typeof rule === 'string' ? typeNames[rule] : `one of ${rule.map(quote).join(', ')}`;

/**
 * Checks the names and types of options. An option that is undefined counts as absent.
 *
 * @param {string} subject  the function, as errors name it: `makeSimulation()`
 * @param {unknown} options
 * @param {Readonly<Record<string, OptionRule>>} rules  by the names of all options
 * @throws {TypeError} the options are no object, or have an unknown name or a value of a wrong type
 */
export const insistOptions = (subject, options, rules) => {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw TypeError(
      `the options of ${subject} are not an object, got ${describeGiven(options)}; give { ${Object.keys(rules)[0]}: … }`,
    );
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(rules, name)) throw unknownOption(subject, name, value, rules);
    if (value === undefined || fits(value, rules[name])) continue;
    throw TypeError(
      `option ${quote(name)} of ${subject} has a wrong value, got ${describeGiven(value)}; give ${describeRule(rules[name])}`,
    );
  }
};

/**
 * Checks an argument of a function that host programs call.
 *
 * @param {string} subject  the function, as errors name it: `fitSlope()`
 * @param {unknown} value
 * @param {OptionRule | Readonly<Record<string, OptionRule>>} rule  or the rules of the properties that an object must have
 * @param {string} wanted  what would be right, as in `the result of readStatsFile()`
 * @throws {TypeError} the argument, or one of these properties, has a wrong type
 */
export const insistArgument = (subject, value, rule, wanted) => {
  if (typeof rule === 'string' || Array.isArray(rule)) {
    if (fits(value, rule)) return;
    throw TypeError(`${subject} takes ${wanted}, got ${describeGiven(value)}`);
  }
  if (typeof value !== 'object' || value === null)
    throw TypeError(`${subject} takes ${wanted}, got ${describeGiven(value)}`);
  for (const [name, each] of Object.entries(
    /** @type {Readonly<Record<string, OptionRule>>} */ (rule),
  )) {
    const held = /** @type {Record<string, unknown>} */ (value)[name];
    if (fits(held, each)) continue;
    throw TypeError(
      `${subject} takes ${wanted}, got ${describeGiven(value)} whose ${quote(name)} is ${describeGiven(held)}, not ${describeRule(each)}`,
    );
  }
};

/**
 * @param {string} subject
 * @param {string} name
 * @param {unknown} value
 * @param {Readonly<Record<string, OptionRule>>} rules
 */
const unknownOption = (subject, name, value, rules) => {
  const nearest = findNearestName(name, Object.keys(rules));
  const remedy =
    nearest === undefined
      ? `the options are ${Object.keys(rules).join(', ')}`
      : `did you mean ${quote(nearest)}?`;
  const shown = quote(name.length > mostText ? `${name.slice(0, mostText)}…` : name);
  return TypeError(
    `option ${shown} of ${subject} does not exist, got ${describeGiven(value)}; ${remedy}`,
  );
};
