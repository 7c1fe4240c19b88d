// Where SES is told to find the exports of a bundle's modules. SES hands on what a module re-exports only once that
// module's imports have run, so modules that import each other do not find it, and drops a name that two `export *` have
// even if it is one binding. A module that SES would link otherwise than the language gets its re-exports as variables,
// which SES connects before anything runs.

import { ExportGraph } from './export-graph.js';
import { makeResolve } from './resolve-exports.js';
import { quoteString } from './string-names.js';

/** @import { Bundle } from '#config/bundle-format.js' */
/** @import { CompiledModule } from './compile-module.js' */
/** @import { Shims } from './export-graph.js' */
/** @import { Resolve } from './resolve-exports.js' */

/**
 * @typedef {object} ExportLinker
 * @property {(key: string) => Set<string>} exportsOf  names of a module's exports, `default` included, also those that do
 *   not resolve
 * @property {Resolve} resolve
 * @property {(key: string) => CompiledModule} link  a module as SES is to see it
 */

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

/**
 * @param {Pick<Bundle, 'modules'>} bundle
 * @param {Record<string, CompiledModule>} compiled  by key, without JSON modules
 * @param {Shims} shims
 * @returns {ExportLinker}
 */
export const linkModules = (bundle, compiled, shims) => {
  const graph = new ExportGraph(bundle, compiled, shims);
  const resolve = makeResolve(graph.ask);

  /** Whether SES gives a module the names of `export *` that it has: it takes a name that one of them has. @param {string} key */
  const isAsSes = key =>
    [...graph.giversOf(key)].every(([name, givers]) => {
      if (givers.length === 1) return true;
      const those = givers.filter(([, target]) => resolve(target, name).found === 1);
      return (resolve(key, name).found === 1) === (those.length === 1);
    });

  /** @type {ExportLinker['link']} */
  const link = key => {
    const module = compiled[key];
    const pairs = Object.entries(module.reexportMap);
    const hasNone = pairs.length + graph.starsOf(key).length === 0;
    if (hasNone || (!graph.isInCircle(key) && isAsSes(key))) return module;
    /** @type {[specifier: string, name: string, exported: string][]} */
    const passed = pairs.flatMap(([specifier, names]) =>
      names.map(([name, exported]) => /** @type {const} */ ([specifier, name, exported])),
    );
    for (const [name, givers] of graph.giversOf(key)) {
      if (resolve(key, name).found !== 1) continue;
      // The nearest, so that modules that have the name of each other do not wait for each other in a circle.
      const far = givers.map(([, target]) => resolve(target, name).steps);
      passed.push([givers[far.indexOf(Math.min(...far))][0], name, name]);
    }
    return withVariables(module, passed);
  };
  return { exportsOf: graph.exportsOf, resolve, link };
};
