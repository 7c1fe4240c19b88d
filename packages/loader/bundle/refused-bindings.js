// Finds what @endo/module-source compiles to something else than the language says, in silence: assignments to an import,
// to an exported class and to a function that is the default export, and exported variables that are declared in a block.

import { walk } from '../evaluation/index.js';
import { findBinding, namesOf, walkScopes } from './scopes.js';

/** @import { Node } from '../evaluation/syntax-tree.js' */

/** @typedef {{ problem: string, start: number }} RefusedBinding */

/** @param {Node} node @returns {Node | undefined} the target of an assignment */
const targetOf = ({ type, left, argument }) => {
  if (type === 'AssignmentExpression') return left;
  if (type === 'UpdateExpression') return argument;
  const isLoop = type === 'ForInStatement' || type === 'ForOfStatement';
  return isLoop && left.type !== 'VariableDeclaration' ? left : undefined;
};

/** The names of the module that others import. @param {Node} program @returns {Set<string>} */
const findExported = program => {
  /** @type {Set<string>} */
  const names = new Set();
  for (const { type, source, specifiers = [], declaration } of program.body) {
    if (!/^Export(?:Named|Default)/.test(type) || source) continue;
    for (const { local } of specifiers) names.add(local.name);
    if (!/Declaration$/.test(declaration?.type)) continue;
    for (const { id } of declaration.declarations ?? [declaration])
      for (const name of namesOf(id)) names.add(name);
  }
  return names;
};

/**
 * The names that may not be assigned to, each with the end of the message.
 *
 * @param {Node} program
 * @param {Set<string>} exported
 */
const findFixed = (program, exported) => {
  /** @type {Map<string, { isClass: boolean, node: Node, problem: string }>} */
  const fixed = new Map();
  for (const statement of program.body) {
    const { type, specifiers, declaration } = statement;
    const node = /^Export(?:Named|Default)/.test(type) ? (declaration ?? {}) : statement;
    const name = node.id?.name;
    if (type === 'ImportDeclaration')
      for (const { local } of specifiers)
        fixed.set(local.name, {
          ...{ isClass: false, node: statement },
          problem: `${local.name} is imported, and an import cannot be assigned to`,
        });
    else if (node.type === 'ClassDeclaration' && exported.has(name))
      fixed.set(name, {
        ...{ isClass: true, node },
        problem: `the class ${name} is exported and assigned to; declare it as a variable (let ${name} = class { … })`,
      });
    else if (node.type === 'FunctionDeclaration' && type === 'ExportDefaultDeclaration' && name)
      fixed.set(name, {
        ...{ isClass: false, node },
        problem: `the function ${name} is the default export and assigned to; export it apart (export { ${name} as default })`,
      });
  }
  return fixed;
};

/** @param {Node} program @param {Set<string>} exported @returns {RefusedBinding | undefined} */
const findAssigned = (program, exported) => {
  const fixed = findFixed(program, exported);
  if (fixed.size === 0) return undefined;
  let isLikely = false;
  walk(program, node => {
    const target = targetOf(node);
    if (target !== undefined && namesOf(target).some(name => fixed.has(name))) isLikely = true;
    return !isLikely;
  });
  if (!isLikely) return undefined;
  /** @type {RefusedBinding | undefined} */
  let found;
  walkScopes(program, (node, scope) => {
    const target = targetOf(node);
    if (target !== undefined)
      for (const name of namesOf(target)) {
        const known = fixed.get(name);
        const isOfModule = findBinding(scope, name)?.scope.outer?.outer === undefined;
        if (known === undefined || !isOfModule) continue;
        // Within a class its name is a constant, and the engine throws.
        const isInside =
          known.isClass && known.node.start <= node.start && node.end <= known.node.end;
        if (!isInside) found ??= { problem: known.problem, start: node.start };
      }
    return found === undefined;
  });
  return found;
};

/** @param {Node} program @param {Set<string>} exported @returns {RefusedBinding | undefined} */
const findInBlock = (program, exported) => {
  if (exported.size === 0) return undefined;
  /** @type {RefusedBinding | undefined} */
  let found;
  walk(program, (node, parent) => {
    if (/Function|Method$|^Class/.test(node.type)) return false;
    if (node.type !== 'VariableDeclaration') return found === undefined;
    if (node.kind !== 'var' || parent?.type === 'Program' || /^Export/.test(parent?.type ?? ''))
      return true;
    const name = node.declarations
      .flatMap((/** @type {Node} */ { id }) => namesOf(id))
      .find((/** @type {string} */ declared) => exported.has(declared));
    if (name !== undefined)
      found ??= {
        problem: `the variable ${name} is exported and declared in a block; declare it outside of blocks`,
        start: node.start,
      };
    return true;
  });
  return found;
};

/**
 * @param {Node} program  the syntax tree of an ES module
 * @returns {RefusedBinding | undefined}
 */
export const findRefusedBinding = program => {
  const exported = findExported(program);
  return findAssigned(program, exported) ?? findInBlock(program, exported);
};
