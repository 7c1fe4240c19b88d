// `URL` and `URLSearchParams` for vats. Node's own parse some hosts and paths differently in its versions (Node 24
// accepts `http://xn--a/`), have authority (`URL.createObjectURL` uses a table of the process) and give out objects
// with unfrozen prototypes. These classes hold a library's object in a private field and give out strings, numbers and
// arrays only. All vats share them, since they have no state.

import { createRequire } from 'node:module';

/** @typedef {{ URL: typeof globalThis.URL, URLSearchParams: typeof globalThis.URLSearchParams }} Library */

const require = createRequire(import.meta.url);

/** @type {Library | undefined} */
let loaded;

/** Load the library with the first URL, since loading is slow and few vats need it. @returns {Library} */
const load = () => {
  loaded ??= /** @type {Library} */ (require('whatwg-url'));
  return loaded;
};

/** The library's error quotes the URL, and its text may change. */
const invalidUrl = () => TypeError('Invalid URL');

/** @param {unknown} url @param {unknown} base */
const parseHostUrl = (url, base) => {
  const text = `${url}`;
  const baseText = base === undefined ? undefined : `${base}`;
  try {
    return new (load().URL)(text, baseText);
  } catch {
    throw invalidUrl();
  }
};

/** @param {unknown} init @returns {[name: string, value: string][]} */
const readPairs = init => {
  const pairs =
    typeof init === 'object' && init !== null && Symbol.iterator in init
      ? [.../** @type {Iterable<Iterable<unknown>>} */ (init)].map(pair => [...pair])
      : Object.entries(/** @type {object} */ (init));
  return pairs.map(pair => {
    if (pair.length !== 2) throw TypeError('Each query pair must be a name and a value');
    return [`${pair[0]}`, `${pair[1]}`];
  });
};

/** Passes the library's object to the constructor of URLSearchParams; no vat can make an instance. */
class Wrapped {
  /** @param {URLSearchParams} params */
  constructor(params) {
    this.params = params;
  }
}

const VatURLSearchParams = class URLSearchParams {
  #params;

  /** @param {unknown} [init] */
  constructor(init = '') {
    if (init instanceof Wrapped) this.#params = init.params;
    else if (typeof init === 'object' && init !== null)
      this.#params = new (load().URLSearchParams)(readPairs(init));
    else this.#params = new (load().URLSearchParams)(`${init}`);
  }

  get size() {
    return this.#pairs().length;
  }

  #pairs() {
    return [...this.#params].map(([name, value]) => [name, value]);
  }

  /** @param {unknown} name @param {unknown} value */
  append(name, value) {
    this.#params.append(`${name}`, `${value}`);
  }

  /** @param {unknown} name @param {unknown} [value] */
  delete(name, value) {
    if (value === undefined) {
      this.#params.delete(`${name}`);
      return;
    }
    // Node 20.0 lacks the second argument.
    const kept = this.#pairs().filter(
      ([left, right]) => left !== `${name}` || right !== `${value}`,
    );
    for (const key of new Set(this.#pairs().map(([left]) => left))) this.#params.delete(key);
    for (const [left, right] of kept) this.#params.append(left, right);
  }

  /** @param {unknown} name */
  get(name) {
    return this.#params.get(`${name}`);
  }

  /** @param {unknown} name */
  getAll(name) {
    return [...this.#params.getAll(`${name}`)];
  }

  /** @param {unknown} name @param {unknown} [value] */
  has(name, value) {
    const values = this.getAll(name);
    return value === undefined ? values.length > 0 : values.includes(`${value}`);
  }

  /** @param {unknown} name @param {unknown} value */
  set(name, value) {
    this.#params.set(`${name}`, `${value}`);
  }

  sort() {
    this.#params.sort();
  }

  /** @param {(value: string, name: string, params: unknown) => void} visit @param {unknown} [self] */
  forEach(visit, self) {
    for (const [name, value] of this.#pairs()) visit.call(self, value, name, this);
  }

  entries() {
    return this.#pairs().values();
  }

  keys() {
    return this.#pairs()
      .map(([name]) => name)
      .values();
  }

  values() {
    return this.#pairs()
      .map(([, value]) => value)
      .values();
  }

  [Symbol.iterator]() {
    return this.entries();
  }

  toString() {
    return this.#params.toString();
  }

  get [Symbol.toStringTag]() {
    return 'URLSearchParams';
  }
};

const VatURL = class URL {
  #url;

  #searchParams;

  /** @param {unknown} url @param {unknown} [base] */
  constructor(url, base) {
    this.#url = parseHostUrl(url, base);
    this.#searchParams = new VatURLSearchParams(new Wrapped(this.#url.searchParams));
  }

  /** @param {unknown} url @param {unknown} [base] */
  static canParse(url, base) {
    try {
      parseHostUrl(url, base);
      return true;
    } catch {
      return false;
    }
  }

  get href() {
    return this.#url.href;
  }

  set href(value) {
    const text = `${value}`;
    try {
      this.#url.href = text;
    } catch {
      throw invalidUrl();
    }
  }

  get origin() {
    return this.#url.origin;
  }

  get protocol() {
    return this.#url.protocol;
  }

  set protocol(value) {
    this.#url.protocol = `${value}`;
  }

  get username() {
    return this.#url.username;
  }

  set username(value) {
    this.#url.username = `${value}`;
  }

  get password() {
    return this.#url.password;
  }

  set password(value) {
    this.#url.password = `${value}`;
  }

  get host() {
    return this.#url.host;
  }

  set host(value) {
    this.#url.host = `${value}`;
  }

  get hostname() {
    return this.#url.hostname;
  }

  set hostname(value) {
    this.#url.hostname = `${value}`;
  }

  get port() {
    return this.#url.port;
  }

  set port(value) {
    this.#url.port = `${value}`;
  }

  get pathname() {
    return this.#url.pathname;
  }

  set pathname(value) {
    this.#url.pathname = `${value}`;
  }

  get search() {
    return this.#url.search;
  }

  set search(value) {
    this.#url.search = `${value}`;
  }

  get hash() {
    return this.#url.hash;
  }

  set hash(value) {
    this.#url.hash = `${value}`;
  }

  get searchParams() {
    return this.#searchParams;
  }

  toString() {
    return this.#url.href;
  }

  toJSON() {
    return this.#url.href;
  }

  get [Symbol.toStringTag]() {
    return 'URL';
  }
};

/**
 * Globals of a vat; hardened with its `globalThis`.
 *
 * @type {Record<'URL' | 'URLSearchParams', new (...args: any[]) => object>}
 */
export const urlGlobals = { URL: VatURL, URLSearchParams: VatURLSearchParams };
