// `Date` for vats: local time is UTC, whatever the zone of the machine, and the format of dates depends neither on the
// engine nor on its locale data. Instances are the engine's dates with another prototype, which gives no access to the
// host's. There is no clock: a function that needs one throws SES's error.

import { types } from 'node:util';

import { addPrototype } from './overridable.js';
import { parseDate } from './parse-date.js';

const HostDate = globalThis.Date;

/** @type {Record<string | symbol, (...args: any[]) => any>} */
const host = Object.fromEntries(
  Reflect.ownKeys(HostDate.prototype).map(key => [key, Reflect.get(HostDate.prototype, key)]),
);

const { UTC } = HostDate;

const dayNames = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ');
const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** @param {number} number @param {number} width */
const pad = (number, width) => String(number).padStart(width, '0');

/** @param {Date} date */
const formatDay = date => {
  const year = date.getUTCFullYear();
  const weekday = dayNames[date.getUTCDay()];
  const day = `${monthNames[date.getUTCMonth()]} ${pad(date.getUTCDate(), 2)}`;
  return `${weekday} ${day} ${year < 0 ? '-' : ''}${pad(Math.abs(year), 4)}`;
};

/** @param {Date} date */
const formatTime = date => {
  const parts = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
  return `${parts.map(part => pad(part, 2)).join(':')} GMT+0000 (Coordinated Universal Time)`;
};

/**
 * @param {unknown} self  a date, or it throws
 * @param {(date: Date) => string} format  gets a date of the host, not the vat's
 */
const formatAs = (self, format) => {
  const time = Reflect.apply(host.getTime, self, []);
  return Number.isNaN(time) ? 'Invalid Date' : format(new HostDate(time));
};

/** Converts an object to a primitive, as the language does with the hint "default". @param {any} value */
const toPrimitive = value => {
  if (Object(value) !== value) return value;
  const convert = value[Symbol.toPrimitive];
  if (convert !== undefined && convert !== null) {
    const result = Reflect.apply(convert, value, ['default']);
    if (Object(result) !== result) return result;
  } else {
    for (const name of ['valueOf', 'toString']) {
      const method = value[name];
      if (typeof method === 'function') {
        const result = Reflect.apply(method, value, []);
        if (Object(result) !== result) return result;
      }
    }
  }
  throw TypeError('an object without a primitive value is no time');
};

/** @param {unknown} value  the only argument @returns {number} */
const readTime = value => {
  if (types.isDate(value)) return Reflect.apply(host.getTime, value, []);
  const primitive = toPrimitive(value);
  return typeof primitive === 'string' ? parseDate(primitive) : +primitive;
};

/** Parts of local time; each equals its namesake in UTC. */
const localParts = 'Date Day FullYear Hours Milliseconds Minutes Month Seconds'.split(' ');

/** @param {string} name @param {(...args: any[]) => any} method  is called with the same `this` and arguments */
const rename = (name, method) => {
  const { [name]: renamed } = {
    /** @this {unknown} @param {unknown[]} args */
    [name](...args) {
      return Reflect.apply(method, this, args);
    },
  };
  Object.defineProperty(renamed, 'length', { value: method.length });
  return renamed;
};

/**
 * A method that sets parts of a date. The date is read first, then all arguments are converted, as the language has it:
 * before Node 26 engines do it in other orders, and the conversion of an argument may change the date.
 *
 * @param {string} name
 * @param {(...args: any[]) => number} method  the engine's, in UTC
 */
const makeSetter = (name, method) => {
  const { length } = method;
  const { [name]: setter } = {
    /** @this {unknown} @param {any[]} args */
    [name](...args) {
      const time = Reflect.apply(host.getTime, this, []);
      const numbers = args.slice(0, length).map(value => +value);
      if (Number.isNaN(time) && !name.endsWith('FullYear')) return NaN;
      const changed = Reflect.apply(method, new HostDate(time), numbers);
      return Reflect.apply(host.setTime, this, [changed]);
    },
  };
  Object.defineProperty(setter, 'length', { value: length });
  return setter;
};

const ownMethods = {
  getTimezoneOffset() {
    return Number.isNaN(Reflect.apply(host.getTime, this, [])) ? NaN : 0;
  },
  getYear() {
    return Reflect.apply(host.getUTCFullYear, this, []) - 1900;
  },
  /** @param {any} year */
  setYear(year) {
    // Throw for a receiver that is not a date before the year is converted.
    Reflect.apply(host.getTime, this, []);
    const number = +year;
    const whole = Math.trunc(number);
    const full = whole >= 0 && whole <= 99 ? 1900 + whole : number;
    return Reflect.apply(host.setUTCFullYear, this, [full]);
  },
  toString() {
    return formatAs(this, date => `${formatDay(date)} ${formatTime(date)}`);
  },
  toDateString() {
    return formatAs(this, formatDay);
  },
  toTimeString() {
    return formatAs(this, formatTime);
  },
  toLocaleString() {
    return formatAs(this, date => `${formatDay(date)} ${formatTime(date)}`);
  },
  toLocaleDateString() {
    return formatAs(this, formatDay);
  },
  toLocaleTimeString() {
    return formatAs(this, formatTime);
  },
};

/** The engine's methods that use no time zone; vats get these. */
const zoneless = Reflect.ownKeys(host).filter(
  key =>
    typeof key === 'symbol' ||
    /UTC|^(getTime|setTime|valueOf|toISOString|toJSON|toGMTString)$/.test(key),
);

/** @param {string | symbol} key @returns {key is string}  whether the method sets parts of a date */
const isSetter = key => typeof key === 'string' && /^set(?!Time$)/.test(key);

/** @type {Record<string | symbol, (...args: any[]) => any>} */
const methods = {
  ...Object.fromEntries(
    zoneless.map(key => [key, isSetter(key) ? makeSetter(key, host[key]) : host[key]]),
  ),
  ...Object.fromEntries(
    localParts
      .flatMap(part => [`get${part}`, `set${part}`])
      .filter(name => name !== 'setDay')
      .map(name => {
        const method = host[name.replace(/^.../, '$&UTC')];
        return [name, isSetter(name) ? makeSetter(name, method) : rename(name, method)];
      }),
  ),
  ...ownMethods,
};

/**
 * @typedef {object} Clock
 * @property {() => number} now  for `Date.now()`
 * @property {() => number} construct  for `new Date()`
 * @property {() => string} call  for `Date()`
 */

/**
 * @param {Clock} clock
 * @returns {DateConstructor}  with a prototype of its own; a global of vats, hardened with their `globalThis`
 */
export const makeDateClass = clock => {
  /** @param {unknown[]} args */
  function VatDate(...args) {
    if (new.target === undefined) return clock.call();
    const time =
      args.length === 0
        ? clock.construct()
        : args.length === 1
          ? readTime(args[0])
          : Reflect.apply(UTC, undefined, args);
    const made = Reflect.construct(HostDate, [time], /** @type {Function} */ (new.target));
    // The engine uses its own prototype if the class's is not an object.
    if (Object.getPrototypeOf(made) === HostDate.prototype)
      Object.setPrototypeOf(made, VatDate.prototype);
    return made;
  }
  const statics = {
    now: () => clock.now(),
    /** @param {unknown} text */
    parse: text => parseDate(`${text}`),
    UTC,
  };
  Object.defineProperties(VatDate, {
    name: { value: 'Date' },
    length: { value: 7 },
    ...Object.fromEntries(
      Object.entries(statics).map(([name, value]) => [
        name,
        { value, writable: true, enumerable: false, configurable: true },
      ]),
    ),
  });
  addPrototype(
    VatDate,
    Object.prototype,
    Object.fromEntries(
      Reflect.ownKeys(methods).map(key => [key, { value: methods[/** @type {string} */ (key)] }]),
    ),
  );
  return /** @type {DateConstructor} */ (/** @type {any} */ (VatDate));
};

/** @param {string} what */
const refuseClock = what => {
  throw TypeError(`secure mode Calling ${what} throws`);
};

/** Globals of a vat. */
export const dateGlobals = {
  Date: makeDateClass({
    now: () => refuseClock('%SharedDate%.now()'),
    construct: () => refuseClock('new %SharedDate%() with no arguments'),
    call: () => refuseClock('%SharedDate% constructor as a function'),
  }),
};
