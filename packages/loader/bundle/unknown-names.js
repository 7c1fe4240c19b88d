// Finds names that a module uses and nobody declares. In a compartment such a name reads as undefined, so a slip in a name
// passes in silence. Scopes are not looked at: a name that is declared anywhere in the module is known.

import { findNearestName } from '#model';

/** @import { Node } from '../evaluation/syntax-tree.js' */

/** @typedef {{ name: string, line: number, meant?: string }} UnknownName  `meant`: a name of the module that is close */

/** Names that are kept of a module, at most. */
const mostNames = 10;

/**
 * Globals of vats, those of the language that Node 20 lacks too, and those that have a hint of their own when they are
 * used (../compartment/error-hints.js).
 */
const knownGlobals = new Set(
  [
    'AggregateError Array ArrayBuffer AsyncDisposableStack AsyncIterator Atomics BigInt BigInt64Array BigUint64Array Boolean',
    'Compartment DataView Date DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array',
    'Function HandledPromise Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math ModuleSource NaN Number',
    'Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer StaticModuleRecord String',
    'SuppressedError Symbol SyntaxError Temporal TextDecoder TextEncoder TypeError URIError URL URLSearchParams Uint16Array',
    'Uint32Array Uint8Array Uint8ClampedArray VatData WeakMap WeakRef WeakSet WebAssembly arguments assert console decodeURI',
    'decodeURIComponent encodeURI encodeURIComponent escape eval globalThis harden isFinite isNaN lockdown parseFloat parseInt',
    'undefined unescape atob btoa',
    'AbortController Buffer D E EventSource Far M WebSocket Worker XMLHttpRequest alert clearImmediate clearInterval',
    'clearTimeout crypto defineExoClass defineExoClassKit document exports fetch gc global localStorage makeDurableKind makeExo',
    'makeKind makePromiseKit makeVirtualScalarWeakMap makeWeakStore',
    'module navigator performance process queueMicrotask require sessionStorage setImmediate setInterval setTimeout',
    'structuredClone window __dirname __filename',
  ].flatMap(line => line.split(' ')),
);

/** Fields of a node that hold a name which is no reference, unless it is computed. @type {Record<string, string>} */
const plainKeys = {
  MemberExpression: 'property',
  OptionalMemberExpression: 'property',
  ObjectProperty: 'key',
  ObjectMethod: 'key',
  ClassMethod: 'key',
  ClassProperty: 'key',
  ClassAccessorProperty: 'key',
};

/** Nodes whose names are labels, or belong to other modules. */
const foreign = new Set([
  'BreakStatement',
  'ContinueStatement',
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ExportNamespaceSpecifier',
  'MetaProperty',
  'PrivateName',
]);

/** @param {any} pattern  of a declaration @param {Set<string>} declared */
const declare = (pattern, declared) => {
  switch (pattern?.type) {
    case 'Identifier':
      declared.add(pattern.name);
      break;
    case 'ObjectPattern':
      for (const property of pattern.properties)
        declare(property.type === 'RestElement' ? property : property.value, declared);
      break;
    case 'ArrayPattern':
      for (const element of pattern.elements) declare(element, declared);
      break;
    case 'AssignmentPattern':
      declare(pattern.left, declared);
      break;
    case 'RestElement':
      declare(pattern.argument, declared);
      break;
    default:
  }
};

/** @param {Node} node @param {Set<string>} declared */
const declareOf = (node, declared) => {
  if (node.type === 'VariableDeclarator') declare(node.id, declared);
  else if (node.type === 'CatchClause') declare(node.param, declared);
  else if (node.type === 'ImportDeclaration')
    for (const { local } of node.specifiers) declare(local, declared);
  else if (/^(Function|Class|Arrow|Object\w*Method|Class\w*Method)/.test(node.type)) {
    declare(node.id, declared);
    for (const parameter of node.params ?? []) declare(parameter, declared);
  }
};

/**
 * Names that are used and not declared, each at its first use. `typeof name` asks whether there is one.
 *
 * @param {Node} program
 * @returns {UnknownName[]}
 */
export const findUnknownNames = program => {
  /** @type {Set<string>} */
  const declared = new Set();
  /** The line of each name's first use. @type {Map<string, number>} */
  const used = new Map();

  /** @param {any} value @param {string} key @param {Node | undefined} parent */
  const visit = (value, key, parent) => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, key, parent);
      return;
    }
    if (typeof value !== 'object' || value === null || typeof value.type !== 'string') return;
    const node = /** @type {Node} */ (value);
    declareOf(node, declared);
    if (foreign.has(node.type)) return;
    if (node.type === 'Identifier') {
      if (!used.has(node.name)) used.set(node.name, node.loc.start.line);
      return;
    }
    if (node.type === 'UnaryExpression' && node.operator === 'typeof') {
      if (node.argument.type !== 'Identifier') visit(node.argument, 'argument', node);
      return;
    }
    if (node.type === 'ExportSpecifier') {
      if (!parent?.source) visit(node.local, 'local', node);
      return;
    }
    const skipped = node.type === 'LabeledStatement' ? 'label' : plainKeys[node.type];
    for (const [field, inner] of Object.entries(node)) {
      if (field === 'loc' || field === 'extra' || field.endsWith('omments')) continue;
      if (field === skipped && !node.computed) continue;
      visit(inner, field, node);
    }
  };
  visit(program, 'program', undefined);

  const names = [...used].filter(([name]) => !declared.has(name) && !knownGlobals.has(name));
  return names.slice(0, mostNames).map(([name, line]) => {
    const meant = findNearestName(name, [...declared]);
    return { name, line, ...(meant !== undefined && { meant }) };
  });
};
