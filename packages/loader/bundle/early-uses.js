// Finds imports that modules use while they are evaluated, before the module that exports them: two modules that import
// each other cannot both be first. In a compartment such a name is undefined, where Node throws.

import { findOrder } from './import-order.js';
import { findBinding, walkScopes } from './scopes.js';

/** @import { Bundle } from '#config/bundle-format.js' */
/** @import { Node } from '../evaluation/syntax-tree.js' */
/** @import { CompiledModule } from './compile-module.js' */

/** @typedef {{ line: number, name: string, specifier: string, imported: string }} EarlyUse  `name`: as written */

/**
 * @typedef {object} EarlyUses
 * @property {EarlyUse[]} uses  outside of functions, each name at its first
 * @property {Record<string, { specifier: string, imported: string }>} passedOn  imports that the module exports again, by
 *   their exported names
 */

/** @typedef {{ key: string, target: string } & EarlyUse} TooEarly  keys of the modules that use and export the name */

/** Code that runs later than its module. */
const runsLater = /Function|Method$|^Class(?:Private|Accessor)?Property$/;

/** @param {Node} node @param {Node | undefined} parent  whether an identifier stands for its variable */
const isReference = (node, parent) => {
  if (node.type !== 'Identifier' || parent === undefined) return false;
  if (/^(?:Import|Export)\w*Specifier$/.test(parent.type)) return false;
  const { key, property, computed: isComputed, shorthand: isShort } = parent;
  return isComputed || isShort || (key !== node && property !== node);
};

/**
 * @param {Node} program
 * @returns {EarlyUses}
 */
export const findEarlyUses = program => {
  /** @type {EarlyUses['passedOn']} */
  const passedOn = Object.create(null);
  /** @type {Map<string, EarlyUse>} */
  const found = new Map();
  walkScopes(program, (node, scope, parent) => {
    if (node.type === 'ExportSpecifier' && !parent?.source) {
      const { imported, specifier } = findBinding(scope, node.local.name) ?? {};
      if (imported !== undefined && specifier !== undefined)
        passedOn[node.exported.name ?? node.exported.value] = { specifier, imported };
      return false;
    }
    if (node.type === 'UnaryExpression' && node.operator === 'typeof') return false;
    if (runsLater.test(node.type)) return node.static === true && /Property$/.test(node.type);
    if (!isReference(node, parent) || found.has(node.name)) return true;
    const { imported, specifier } = findBinding(scope, node.name) ?? {};
    if (imported === undefined || specifier === undefined) return true;
    const isMember = imported === '*' && parent?.object === node && !parent.computed;
    if (imported === '*' && !isMember) return true;
    const name = isMember ? `${node.name}.${parent.property.name}` : node.name;
    found.set(node.name, {
      ...{ line: node.loc.start.line, name, specifier },
      imported: isMember ? parent.property.name : imported,
    });
    return true;
  });
  return { uses: [...found.values()], passedOn };
};

/**
 * The module that a name comes from.
 *
 * @param {string} key
 * @param {string} name
 * @param {Pick<Bundle, 'modules'>} bundle
 * @param {Record<string, CompiledModule>} compiled
 * @param {Set<string>} [asked]  what was asked before: modules may re-export each other, and one another's in many ways
 * @returns {string | undefined} its key; `undefined` if a search does not tell
 */
const findOrigin = (key, name, bundle, compiled, asked = new Set()) => {
  const module = compiled[key];
  const question = `${name} ${key}`;
  if (module === undefined || asked.has(question)) return undefined;
  asked.add(question);
  const { imports } = bundle.modules[key];
  for (const [specifier, pairs] of Object.entries(module.reexportMap))
    for (const [local, exported] of pairs)
      if (exported === name) return findOrigin(imports[specifier], local, bundle, compiled, asked);
  const { passedOn } = module.early;
  if (Object.hasOwn(passedOn, name)) {
    const { specifier, imported } = passedOn[name];
    return findOrigin(imports[specifier], imported, bundle, compiled, asked);
  }
  if (Object.hasOwn(module.fixedExportMap, name) || Object.hasOwn(module.liveExportMap, name))
    return key;
  for (const specifier of module.reexports) {
    const found = findOrigin(imports[specifier], name, bundle, compiled, asked);
    if (found !== undefined) return found;
  }
  return undefined;
};

/**
 * Uses of names whose modules are evaluated later.
 *
 * @param {Pick<Bundle, 'entry' | 'modules'>} bundle
 * @param {Record<string, CompiledModule>} compiled  by key, without JSON modules
 * @returns {TooEarly[]}
 */
export const findTooEarly = (bundle, compiled) => {
  const { order } = findOrder(bundle, compiled);
  const place = (/** @type {string} */ key) => order.get(key) ?? -1;
  return Object.entries(compiled).flatMap(([key, { early }]) =>
    early.uses.flatMap(use => {
      const first = bundle.modules[key].imports[use.specifier];
      const target = findOrigin(first, use.imported, bundle, compiled);
      return target !== undefined && place(target) > place(key) ? [{ key, target, ...use }] : [];
    }),
  );
};
