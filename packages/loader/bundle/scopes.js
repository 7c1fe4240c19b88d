// Finds what each name of a module is bound to, by the rules of scopes, so that what is said of one variable is not said
// of another with its name.

/** @import { Node } from '../evaluation/syntax-tree.js' */

/**
 * @typedef {object} Binding
 * @property {'const' | 'function' | 'import' | 'other'} kind  `const`: with its value in `init`; `other`: may change
 * @property {Node} [init]  the value of a constant, or the declaration of a function
 * @property {Scope} scope  where it is declared
 * @property {string} [specifier]  of an import
 * @property {string} [imported]  `*` for a namespace
 */

/**
 * @typedef {object} Scope
 * @property {Map<string, Binding>} names
 * @property {Scope | undefined} outer
 */

const isFunction = (/** @type {Node} */ { type }) => /Function|Method$|^StaticBlock$/.test(type);

/** @param {any} pattern @returns {string[]} the names that a pattern declares, or assigns to */
export const namesOf = pattern => {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((/** @type {Node} */ property) =>
        namesOf(property.type === 'RestElement' ? property : property.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesOf);
    case 'AssignmentPattern':
      return namesOf(pattern.left);
    case 'RestElement':
      return namesOf(pattern.argument);
    case 'ParenthesizedExpression':
      return namesOf(pattern.expression);
    default:
      return [];
  }
};

/** The nodes inside a node, in the order of the text. @param {Node} node @returns {Node[]} */
const partsOf = node => {
  /** @type {Node[]} */
  const parts = [];
  for (const field in node) {
    const value = node[field];
    if (typeof value !== 'object' || value === null || field === 'loc' || field === 'extra')
      continue;
    if (Array.isArray(value)) {
      if (!field.endsWith('omments'))
        for (const part of value) if (typeof part?.type === 'string') parts.push(part);
    } else if (typeof value.type === 'string') parts.push(value);
  }
  return parts;
};

/** @param {Scope} scope @param {Node} declaration  of variables */
const declareVariables = (scope, declaration) => {
  const isConstant = declaration.kind === 'const';
  for (const { id, init } of declaration.declarations) {
    if (isConstant && id.type === 'Identifier' && init)
      scope.names.set(id.name, { kind: 'const', init, scope });
    else for (const name of namesOf(id)) scope.names.set(name, { kind: 'other', scope });
  }
};

/** Declare the `var`s of a function, wherever they stand in it. @param {Scope} scope @param {Node} node */
const hoist = (scope, node) => {
  for (const part of partsOf(node)) {
    if (isFunction(part)) continue;
    if (part.type === 'VariableDeclaration' && part.kind === 'var') declareVariables(scope, part);
    hoist(scope, part);
  }
};

/** @param {Scope} scope @param {Node} declaration  an import */
const declareImports = (scope, { source, specifiers }) => {
  for (const { type, local, imported } of specifiers) {
    const name = type === 'ImportNamespaceSpecifier' ? '*' : 'default';
    scope.names.set(local.name, {
      ...{ kind: 'import', scope, specifier: source.value },
      imported: imported?.name ?? imported?.value ?? name,
    });
  }
};

/** Declare what a block's own statements do. @param {Scope} scope @param {readonly Node[]} statements */
const declareStatements = (scope, statements) => {
  for (const statement of statements) {
    const declared = /^Export/.test(statement.type) ? statement.declaration : statement;
    if (declared?.type === 'VariableDeclaration' && declared.kind !== 'var')
      declareVariables(scope, declared);
    else if (declared?.type === 'ImportDeclaration') declareImports(scope, declared);
    else if (declared?.type === 'FunctionDeclaration' && declared.id)
      scope.names.set(declared.id.name, { kind: 'function', init: declared, scope });
    else if (declared?.type === 'ClassDeclaration' && declared.id)
      scope.names.set(declared.id.name, { kind: 'other', scope });
  }
};

/** @param {Node} node @param {Scope} outer @returns {Scope} of the names in the node; `outer` if it declares none */
const scopeOf = (node, outer) => {
  /** @type {Scope} */
  const scope = { names: new Map(), outer };
  const declare = (/** @type {any} */ pattern) => {
    for (const name of namesOf(pattern)) scope.names.set(name, { kind: 'other', scope });
  };
  if (isFunction(node)) {
    if (/Expression$/.test(node.type)) declare(node.id);
    for (const parameter of node.params ?? []) declare(parameter);
    hoist(scope, node);
  }
  switch (node.type) {
    case 'Program':
      hoist(scope, node);
      declareStatements(scope, node.body);
      break;
    case 'StaticBlock':
    case 'BlockStatement':
      declareStatements(scope, node.body);
      break;
    case 'SwitchStatement':
      for (const { consequent } of node.cases) declareStatements(scope, consequent);
      break;
    case 'ForStatement':
      if (node.init) declareStatements(scope, [node.init]);
      break;
    case 'ForInStatement':
    case 'ForOfStatement':
      if (node.left.type === 'VariableDeclaration') declareStatements(scope, [node.left]);
      break;
    case 'CatchClause':
      declare(node.param);
      break;
    case 'ClassExpression':
      declare(node.id);
      break;
    default:
  }
  return scope.names.size === 0 ? outer : scope;
};

/**
 * @param {Scope} scope
 * @param {string} name
 * @returns {Binding | undefined} `undefined` for a global
 */
export const findBinding = (scope, name) => {
  for (let at = /** @type {Scope | undefined} */ (scope); at !== undefined; at = at.outer) {
    const found = at.names.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
};

/**
 * Visit every node of a module with the scope that its names are in, parents first.
 *
 * @param {Node} program
 * @param {(node: Node, scope: Scope, parent: Node | undefined) => boolean | void} visit  `false` skips its parts
 */
export const walkScopes = (program, visit) => {
  /** @param {Node} node @param {Scope} outer @param {Node} [parent] */
  const enter = (node, outer, parent) => {
    const scope = scopeOf(node, outer);
    if (visit(node, scope, parent) === false) return;
    for (const part of partsOf(node)) enter(part, scope, node);
  };
  enter(program, { names: new Map(), outer: undefined });
};
