// The names that a bundle's modules export, and the modules from which they have them.

import { shimPrefix } from '#config';

/** @import { Bundle } from '#config/bundle-format.js' */
/** @import { CompiledModule } from './compile-module.js' */

/** @typedef {Record<string, Record<string, unknown>>} Shims  namespaces by specifier */

/** An `export *` of a module. @typedef {[specifier: string, target: string]} Star */

/**
 * A module's own answer to a name: its binding, or the names of other modules for which it stands.
 *
 * @typedef {object} NameAnswer
 * @property {string} [binding]
 * @property {{ key: string, name: string }[]} next
 * @property {boolean} [lacks]  whether the module re-exports what the other does not export
 */

/** @typedef {(key: string, name: string) => NameAnswer} AskModule */

/** @template T @param {Record<string, T>} record @param {string} name */
const ownOf = (record, name) => (Object.hasOwn(record, name) ? record[name] : undefined);

/**
 * Compute a value for a module at most once.
 *
 * @template T
 * @param {(key: string) => T} compute
 * @returns {(key: string) => T}
 */
const once = compute => {
  /** @type {Map<string, T>} */
  const known = new Map();
  return key => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = compute(key)));
    return value;
  };
};

export class ExportGraph {
  #modules;

  #compiled;

  #shims;

  /**
   * @param {Pick<Bundle, 'modules'>} bundle
   * @param {Record<string, CompiledModule>} compiled  by key, without JSON modules
   * @param {Shims} shims
   */
  constructor({ modules }, compiled, shims) {
    this.#modules = modules;
    this.#compiled = compiled;
    this.#shims = shims;
  }

  /** Its `export *`. @type {(key: string) => Star[]} */
  starsOf = once(key => {
    /** @type {Star[]} */
    const stars = [];
    for (const specifier of new Set(this.#compiled[key].reexports)) {
      const target = this.#modules[key].imports[specifier];
      // A CommonJS module may lack what it passes on.
      if (target !== undefined) stars.push([specifier, target]);
    }
    return stars;
  });

  /** @param {string} key  names that it exports itself @returns {readonly string[]} */
  #namesOf(key) {
    if (key.startsWith(shimPrefix))
      return Object.keys(this.#shims[key.slice(shimPrefix.length)] ?? {});
    return this.#modules[key].type === 'json' ? ['default'] : this.#compiled[key].exports;
  }

  /** Names of a module's exports, `default` included, also those that do not resolve. @type {(key: string) => Set<string>} */
  exportsOf = once(key => {
    const names = new Set(this.#namesOf(key));
    const reached = new Set([key]);
    // The set grows while it is walked: modules may re-export each other.
    for (const module of reached) {
      if (module !== key)
        for (const name of this.#namesOf(module)) if (name !== 'default') names.add(name);
      if (this.#compiled[module] !== undefined)
        for (const [, target] of this.starsOf(module)) reached.add(target);
    }
    return names;
  });

  /** Names that a module may have by `export *`, with those that give them. @type {(key: string) => Map<string, Star[]>} */
  giversOf = once(key => {
    /** @type {Map<string, Star[]>} */
    const givers = new Map();
    const named = new Set(['default', ...this.#compiled[key].exports]);
    for (const star of this.starsOf(key))
      for (const name of this.exportsOf(star[1])) {
        if (named.has(name)) continue;
        const others = givers.get(name);
        if (others === undefined) givers.set(name, [star]);
        else others.push(star);
      }
    return givers;
  });

  /** Re-exports by name, with the modules that have them. @type {(key: string) => Map<string, { target: string, name: string }>} */
  #passedBy = once(key => {
    /** @type {Map<string, { target: string, name: string }>} */
    const passed = new Map();
    const { early, reexportMap } = this.#compiled[key];
    const { imports } = this.#modules[key];
    for (const [exported, { specifier, imported }] of Object.entries(early.passedOn))
      // An imported namespace is a variable of the module.
      if (imported !== '*') passed.set(exported, { target: imports[specifier], name: imported });
    for (const [specifier, pairs] of Object.entries(reexportMap))
      for (const [name, exported] of pairs)
        passed.set(exported, { target: imports[specifier], name });
    return passed;
  });

  /** Ask a module itself for a name. @type {AskModule} */
  ask = (key, name) => {
    if (this.#modules[key]?.type !== 'js')
      return {
        next: [],
        ...(this.exportsOf(key).has(name) && { binding: JSON.stringify([key, name]) }),
      };
    const passed = this.#passedBy(key).get(name);
    if (passed !== undefined) {
      const { target, name: inner } = passed;
      if (target === undefined) return { next: [], lacks: true };
      if (inner === '*') return { next: [], binding: JSON.stringify([target]) };
      return this.exportsOf(target).has(inner)
        ? { next: [{ key: target, name: inner }] }
        : { next: [], lacks: true };
    }
    const { fixedExportMap, liveExportMap } = this.#compiled[key];
    const local = ownOf(fixedExportMap, name) ?? ownOf(liveExportMap, name);
    if (local) return { next: [], binding: JSON.stringify([key, local[0]]) };
    const givers = this.giversOf(key).get(name) ?? [];
    return { next: givers.map(([, target]) => ({ key: target, name })) };
  };

  /** Whether a module's imports lead back to it. @param {string} key */
  isInCircle(key) {
    const reached = new Set(Object.values(this.#modules[key].imports));
    // The set grows while it is walked.
    for (const module of reached) {
      if (module === key) return true;
      for (const target of Object.values(this.#modules[module]?.imports ?? {})) reached.add(target);
    }
    return false;
  }
}
