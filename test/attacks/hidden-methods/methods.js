import * as far from '@endo/far';
import * as errors from '@endo/errors';
import * as marshal from '@endo/marshal';
import * as reactor from 'swingset-runner/reactor';

/** All functions and objects behind accessors, by the way to them. */
export const listMethods = () => {
  const found = new Map();
  const seen = new Set();
  const visit = (path, value) => {
    if (Object(value) !== value || seen.has(value)) return;
    seen.add(value);
    found.set(path, value);
    visit(`${path}.__proto__`, Object.getPrototypeOf(value));
    for (const key of Reflect.ownKeys(value)) {
      const { value: inner, get, set } = Reflect.getOwnPropertyDescriptor(value, key);
      const name = `${path}.${String(key)}`;
      visit(name, inner);
      visit(`get ${name}`, get);
      visit(`set ${name}`, set);
      for (const receiver of get ? [value, {}, undefined] : []) {
        try {
          visit(`${name} given`, Reflect.apply(get, receiver, []));
        } catch {
          // It wants one of its own.
        }
      }
    }
  };
  visit('globalThis', globalThis);
  visit('inner', new Compartment().evaluate('globalThis'));
  visit('far', { ...far });
  visit('errors', { ...errors });
  visit('marshal', { ...marshal });
  visit('reactor', { ...reactor });
  for (const name of ['Date', 'URL', 'TextDecoder', 'TextEncoder', 'Uint8Array', 'ArrayBuffer'])
    visit(name, globalThis[name].prototype);
  return found;
};
