// Where the exports of a bundle's modules come from, by the language's rules (ResolveExport of ECMA-262). SES hands on
// what a module re-exports only once that module's imports have run, so modules that import each other do not find it, and
// drops a name that two `export *` have even if it is one binding. A module that SES would link otherwise than the language
// gets its re-exports as variables, which SES connects before anything runs.

import { shimPrefix } from '#config';
import { quoteString } from './string-names.js';

/** @import { Bundle } from '#config/bundle-format.js' */
/** @import { CompiledModule } from './compile-module.js' */

/** @typedef {Record<string, Record<string, unknown>>} Shims  namespaces by specifier */

/**
 * @typedef {object} Resolution
 * @property {number} found  bindings that the name may stand for: more than one if `export *` gives several
 * @property {number} steps  re-exports on the shortest way to one of them
 * @property {boolean} isMissing  whether a re-export on the way names what its module does not export at all
 */

/**
 * @typedef {object} ExportResolver
 * @property {(key: string) => Set<string>} exportsOf  names of a module's exports, `default` included, also those that do
 *   not resolve
 * @property {(key: string, name: string) => Resolution} resolve
 * @property {(key: string) => CompiledModule} link  a module as SES is to see it
 */

/** @template T @param {Record<string, T>} record @param {string} name */
const ownOf = (record, name) => (Object.hasOwn(record, name) ? record[name] : undefined);

/**
 * Give a module variables that follow what it re-exports. Its program gives SES the setters for its imports, to which
 * those of the variables are added.
 *
 * @param {CompiledModule} compiled
 * @param {[specifier: string, name: string, exported: string][]} passed
 * @returns {CompiledModule}
 */
const withVariables = (compiled, passed) => {
  /** @type {Map<string, string[]>} */
  const added = new Map();
  /** @type {[string, [string, boolean]][]} */
  const live = Object.entries(compiled.liveExportMap);
  const taken = new Set([...Object.keys(compiled.fixedExportMap), ...live.map(([name]) => name)]);
  for (const [specifier, name, exported] of passed) {
    if (taken.has(exported)) continue;
    taken.add(exported);
    // No variable of the module has this name.
    const variable = `re-export ${exported}`;
    live.push([exported, [variable, false]]);
    const setter = `[${quoteString(name)},[$p.liveVar[${quoteString(variable)}]]]`;
    added.set(specifier, [...(added.get(specifier) ?? []), setter]);
  }
  const list = [...added].map(([specifier, setters]) => `[${quoteString(specifier)},[${setters}]]`);
  const imports = `$i=>$p.imports([...$i].map(([$s,$n])=>[$s,[...$n,...[${list}].flatMap(([$t,$m])=>$t===$s?$m:[])]]))`;
  return {
    ...compiled,
    // It stays on the first line; a comment may end the program.
    program: `($f=>$p=>$f({...$p,imports:${imports}}))(${compiled.program}\n)`,
    reexports: [],
    reexportMap: {},
    liveExportMap: Object.fromEntries(live),
  };
};

/** The answer of a module itself to a name. @typedef {(key: string, name: string) => { binding?: string, next: { key: string, name: string }[], lacks?: boolean }} Ask */

/**
 * A name of a module, and what it stands for.
 *
 * @typedef {object} Question
 * @property {string} key
 * @property {string} name
 * @property {Set<string>} bindings  at most two: more make no difference
 * @property {number} steps
 * @property {boolean} isMissing
 * @property {Question[] | undefined} waiting  whose names may stand for this one, until all is known
 */

/**
 * Find what a name stands for, and all names on the way: each is asked for once, whichever is wanted first, so modules that
 * have all names of each other take no longer than they have `export *`. What is found goes back to those that wait.
 *
 * @param {string} start
 * @param {string} wanted
 * @param {Ask} ask
 * @param {Map<string, Map<string, Question>>} known  by key and name
 * @returns {Question}
 */
const answer = (start, wanted, ask, known) => {
  /** @type {Question[]} */
  const open = [];
  const provide = (/** @type {string} */ key, /** @type {string} */ name) => {
    let ofModule = known.get(key);
    if (ofModule === undefined) known.set(key, (ofModule = new Map()));
    let question = ofModule.get(name);
    if (question === undefined) {
      const steps = Infinity;
      question = { key, name, bindings: new Set(), steps, isMissing: false, waiting: [] };
      ofModule.set(name, question);
      open.push(question);
    }
    return question;
  };
  const wantedQuestion = provide(start, wanted);

  /** @type {[Question, string][]} */
  const found = [];
  const find = (/** @type {Question} */ question, /** @type {string} */ binding) => {
    if (question.bindings.size === 2 || question.bindings.has(binding)) return;
    question.bindings.add(binding);
    found.push([question, binding]);
  };
  /** @type {Question[]} */
  const missing = [];
  const miss = (/** @type {Question} */ question) => {
    if (question.isMissing) return;
    question.isMissing = true;
    missing.push(question);
  };
  /** By steps. @type {Question[][]} */
  const near = [];
  const reach = (/** @type {Question} */ question, /** @type {number} */ steps) => {
    if (steps >= question.steps) return;
    question.steps = steps;
    (near[steps] ??= []).push(question);
  };

  // The list grows while it is walked, and so do those below.
  for (const question of open) {
    const { binding, next, lacks } = ask(question.key, question.name);
    if (binding !== undefined) {
      find(question, binding);
      reach(question, 0);
    }
    if (lacks) miss(question);
    for (const { key, name } of next) {
      const other = provide(key, name);
      other.waiting?.push(question);
      // It may have been answered before.
      for (const each of other.bindings) find(question, each);
      if (other.isMissing) miss(question);
      reach(question, other.steps + 1);
    }
  }
  for (const [{ waiting = [] }, binding] of found) for (const one of waiting) find(one, binding);
  for (const { waiting = [] } of missing) for (const one of waiting) miss(one);
  for (let steps = 0; steps < near.length; steps += 1)
    for (const question of near[steps] ?? [])
      for (const one of question.waiting ?? []) reach(one, steps + 1);
  for (const question of open) question.waiting = undefined;
  return wantedQuestion;
};

/** Whether a module's imports lead back to it. @param {Bundle['modules']} modules @param {string} key */
const isInCircle = (modules, key) => {
  const reached = new Set(Object.values(modules[key].imports));
  // The set grows while it is walked.
  for (const module of reached) {
    if (module === key) return true;
    for (const target of Object.values(modules[module]?.imports ?? {})) reached.add(target);
  }
  return false;
};

/**
 * @param {Pick<Bundle, 'modules'>} bundle
 * @param {Record<string, CompiledModule>} compiled  by key, without JSON modules
 * @param {Shims} shims
 * @returns {ExportResolver}
 */
export const makeExportFinder = ({ modules }, compiled, shims) => {
  /** @param {string} key */
  const isProgram = key => modules[key]?.type === 'js';
  /** @type {Map<string, [specifier: string, target: string][]>} */
  const knownStars = new Map();
  /** Targets of `export *`, by specifier. @param {string} key */
  const starsOf = key => {
    let stars = knownStars.get(key);
    if (stars !== undefined) return stars;
    stars = [];
    knownStars.set(key, stars);
    for (const specifier of new Set(compiled[key].reexports)) {
      const target = modules[key].imports[specifier];
      // A CommonJS module may lack what it passes on.
      if (target !== undefined) stars.push([specifier, target]);
    }
    return stars;
  };
  /** @param {string} key  names that it exports itself @returns {readonly string[]} */
  const namesOf = key => {
    if (key.startsWith(shimPrefix)) return Object.keys(shims[key.slice(shimPrefix.length)] ?? {});
    return modules[key].type === 'json' ? ['default'] : compiled[key].exports;
  };

  /** @type {Map<string, Set<string>>} */
  const knownNames = new Map();
  /** @type {ExportResolver['exportsOf']} */
  const exportsOf = key => {
    let names = knownNames.get(key);
    if (names !== undefined) return names;
    names = new Set(namesOf(key));
    knownNames.set(key, names);
    const reached = new Set([key]);
    // The set grows while it is walked: modules may re-export each other.
    for (const module of reached) {
      if (module !== key)
        for (const name of namesOf(module)) if (name !== 'default') names.add(name);
      if (compiled[module] !== undefined)
        for (const [, target] of starsOf(module)) reached.add(target);
    }
    return names;
  };

  /** @type {Map<string, Map<string, [specifier: string, target: string][]>>} */
  const knownGivers = new Map();
  /** Names that a module may have by `export *`, with the targets that export them. @param {string} key */
  const giversOf = key => {
    let givers = knownGivers.get(key);
    if (givers !== undefined) return givers;
    givers = new Map();
    knownGivers.set(key, givers);
    const named = new Set(['default', ...compiled[key].exports]);
    for (const star of starsOf(key))
      for (const name of exportsOf(star[1])) {
        if (named.has(name)) continue;
        const others = givers.get(name);
        if (others === undefined) givers.set(name, [star]);
        else others.push(star);
      }
    return givers;
  };

  /** Re-exports by name, with the keys of their modules. @type {Map<string, Map<string, { target: string, name: string }>>} */
  const knownPassed = new Map();
  /** @param {string} key */
  const passedBy = key => {
    let passed = knownPassed.get(key);
    if (passed !== undefined) return passed;
    passed = new Map();
    knownPassed.set(key, passed);
    const { early, reexportMap } = compiled[key];
    const { imports } = modules[key];
    for (const [exported, { specifier, imported }] of Object.entries(early.passedOn))
      // An imported namespace is a variable of the module.
      if (imported !== '*') passed.set(exported, { target: imports[specifier], name: imported });
    for (const [specifier, pairs] of Object.entries(reexportMap))
      for (const [name, exported] of pairs)
        passed.set(exported, { target: imports[specifier], name });
    return passed;
  };

  /**
   * Ask a module itself for a name.
   *
   * @type {Ask}
   */
  const ask = (key, name) => {
    if (!isProgram(key))
      return {
        next: [],
        ...(exportsOf(key).has(name) && { binding: JSON.stringify([key, name]) }),
      };
    const passed = passedBy(key).get(name);
    if (passed !== undefined) {
      const { target, name: inner } = passed;
      if (target === undefined) return { next: [], lacks: true };
      if (inner === '*') return { next: [], binding: JSON.stringify([target]) };
      return exportsOf(target).has(inner)
        ? { next: [{ key: target, name: inner }] }
        : { next: [], lacks: true };
    }
    const { fixedExportMap, liveExportMap } = compiled[key];
    const local = ownOf(fixedExportMap, name) ?? ownOf(liveExportMap, name);
    if (local) return { next: [], binding: JSON.stringify([key, local[0]]) };
    const givers = giversOf(key).get(name) ?? [];
    return { next: givers.map(([, target]) => ({ key: target, name })) };
  };

  /** @type {Map<string, Map<string, Question>>} */
  const known = new Map();
  /** @type {ExportResolver['resolve']} */
  const resolve = (key, name) => {
    const { bindings, steps, isMissing } = answer(key, name, ask, known);
    return { found: bindings.size, steps, isMissing };
  };

  /** Whether SES gives a module the names of `export *` that it has: it takes a name that one of them has. @param {string} key */
  const isAsSes = key =>
    [...giversOf(key)].every(([name, givers]) => {
      if (givers.length === 1) return true;
      const those = givers.filter(([, target]) => resolve(target, name).found === 1);
      return (resolve(key, name).found === 1) === (those.length === 1);
    });

  /** @type {ExportResolver['link']} */
  const link = key => {
    const module = compiled[key];
    const pairs = Object.entries(module.reexportMap);
    if (pairs.length + starsOf(key).length === 0 || (!isInCircle(modules, key) && isAsSes(key)))
      return module;
    /** @type {[specifier: string, name: string, exported: string][]} */
    const passed = pairs.flatMap(([specifier, names]) =>
      names.map(([name, exported]) => /** @type {const} */ ([specifier, name, exported])),
    );
    for (const [name, givers] of giversOf(key)) {
      if (resolve(key, name).found !== 1) continue;
      // The nearest, so that modules that have the name of each other do not wait for each other in a circle.
      const far = givers.map(([, target]) => resolve(target, name).steps);
      passed.push([givers[far.indexOf(Math.min(...far))][0], name, name]);
    }
    return withVariables(module, passed);
  };
  return { exportsOf, resolve, link };
};
