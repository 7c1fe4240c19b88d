// Docstrings of exports from public entries: each says what the export is, takes, returns and throws.

import { docstringBefore, readPublicExports } from './public-exports.js';

/** @import { House } from './house.js' */

/** Calls by these names throw what their caller throws. */
const throwing = /^(insist[A-Z]|refuse$)/;

/** @param {any} node @returns {node is { type: string }} */
const isNode = node => typeof node?.type === 'string';

/**
 * Visit a function's own statements, not those of functions within it.
 *
 * @param {any} node
 * @param {(node: any) => void} visit
 */
const visitOwn = (node, visit) => {
  visit(node);
  for (const [key, value] of Object.entries(node)) {
    if (key.endsWith('Comments') || key === 'loc') continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child) && !/Function|ObjectMethod|ClassMethod|Class/.test(child.type))
        visitOwn(child, visit);
  }
};

/** @param {any} node  a function, or a declaration whose value is one @returns {any} */
const functionOf = node => {
  const value = node?.type === 'VariableDeclarator' ? node.init : node;
  return /^(Arrow)?Function|Method$/.test(value?.type ?? '') ? value : undefined;
};

/** @param {any} fn */
const behaviourOf = fn => {
  let returns = fn.body.type !== 'BlockStatement' && fn.body.operator !== 'void';
  let throws = false;
  visitOwn(fn.body, node => {
    if (node.type === 'ReturnStatement' && node.argument) returns = true;
    if (node.type === 'ThrowStatement') throws = true;
    if (node.type === 'CallExpression' && throwing.test(node.callee.name ?? '')) throws = true;
  });
  return { returns, throws };
};

/** @param {string} docstring */
const describes = docstring =>
  // A name that programs import for its type alone.
  /@typedef\b/.test(docstring) ||
  docstring.replace(/@\w+( \{[^]*?\}(?=\s|$))?( \[?[\w.]+\]?)?/g, ' ').trim().length > 8;

/**
 * @param {string | undefined} docstring
 * @param {any} fn  undefined for a value
 * @returns {string[]} what is missing
 */
const findMissing = (docstring, fn) => {
  if (docstring === undefined) return ['a docstring'];
  const missing = describes(docstring) ? [] : ['a description'];
  // A type says what parameters and results are.
  if (fn === undefined || /@type(def)?\b/.test(docstring)) return missing;
  const { returns, throws } = behaviourOf(fn);
  // "options.name" is a part of a parameter.
  const named = docstring.match(/@param (\{[^]*?\} )?\[?\w+(?![\w.])/g)?.length ?? 0;
  const { length } = fn.params;
  if (named < length)
    missing.push(
      `@param for ${length === 1 ? 'its parameter' : `each of its ${length} parameters`}`,
    );
  if (returns && !/@returns\b/.test(docstring)) missing.push('@returns');
  if (throws && !/@throws\b/.test(docstring)) missing.push('@throws');
  return missing;
};

/**
 * The methods of a class that programs may call.
 *
 * @param {any} node  a declaration
 * @returns {{ name: string, node: any, docstring: string | undefined }[]}
 */
const methodsOf = node =>
  node.type !== 'ClassDeclaration'
    ? []
    : node.body.body
        .filter(
          (/** @type {any} */ { type, kind, computed, key }) =>
            type === 'ClassMethod' &&
            kind !== 'constructor' &&
            !computed &&
            !key.name?.startsWith('_') &&
            key.name !== 'toString',
        )
        .map((/** @type {any} */ method) => ({
          name: `${node.id.name}.${method.key.name}`,
          node: method,
          docstring: docstringBefore(method, method.key.name),
        }))
        .filter(
          (/** @type {any} */ { docstring }) => !/@(protected|private|internal)\b/.test(docstring),
        );

/**
 * @param {House} house
 * @returns {string[]} problems
 * @throws {Error} an entry exports a name that no file declares
 */
export const checkDocstrings = ({ root }) =>
  readPublicExports(root).flatMap(({ entry, file, ...exported }) => {
    // A name that is refused says why when it is called.
    if (exported.node.init?.callee?.name === 'refuse') return [];
    return [exported, ...methodsOf(exported.node)].flatMap(({ name, node, docstring }) => {
      const missing = findMissing(docstring, functionOf(node));
      if (missing.length === 0) return [];
      return [`${file}:${node.loc.start.line}: ${name} of "${entry}": lacks ${missing.join(', ')}`];
    });
  });
