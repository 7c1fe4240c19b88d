// Finds promises that a module uses as if they were what they are promises of: `1 + E(account).balance()`. The engine
// takes a promise for a number (NaN), for text, for true, or for an object without the property, all in silence. Only what
// must be a promise is found: a send by an imported E, a call of an async function of the module, a promise made by
// `Promise`, or a constant that holds one of these. Methods of E that are used and not called are found with them:
// `await E(account).balance` waits for nothing and sends nothing.

import { walk } from '../evaluation/syntax-tree.js';
import { findBinding, walkScopes } from './scopes.js';

/** @import { Node } from '../evaluation/syntax-tree.js' */
/** @import { Scope } from './scopes.js' */

/**
 * @typedef {object} Unawaited
 * @property {number} line
 * @property {string} text  the promise or method, as written
 * @property {string} problem  of the promise
 * @property {boolean} [isMethod]  it is a method of E that is not called
 */

/** Uses that are kept of a module, at most. */
const mostUses = 10;

/** Characters of an expression that are shown, at most. */
const longestText = 60;

/** Packages that export E. */
const hasE = /^@(?:endo|agoric)\//;

const promiseMakers = new Set(['all', 'allSettled', 'any', 'race', 'reject', 'resolve', 'try']);
const promiseMethods = new Set(['then', 'catch', 'finally']);
/** Properties that a promise has. */
const promiseProperties = new Set([...promiseMethods, 'constructor', '__proto__']);
/** Static methods of E that return promises. */
const eMethods = new Set(['when', 'resolve']);

const arithmetic = new Set(
  ['+', '-', '*', '/', '%', '**', '&', '|', '^', '<<', '>>', '>>>'].flatMap(sign => [
    sign,
    `${sign}=`,
  ]),
);
const comparisons = new Set(['<', '>', '<=', '>=']);
const equalities = new Set(['==', '===', '!=', '!==']);
const converters = new Set(['BigInt', 'Boolean', 'Number', 'String', 'parseFloat', 'parseInt']);

/** Fields of nodes that hold a condition. @type {Record<string, string>} */
const conditions = {
  IfStatement: 'test',
  WhileStatement: 'test',
  DoWhileStatement: 'test',
  ForStatement: 'test',
  ConditionalExpression: 'test',
  LogicalExpression: 'left',
};

const isConstant = (/** @type {Node} */ { type, name }) =>
  /Literal$/.test(type) || (type === 'Identifier' && name === 'undefined');

/** @param {Node} node @returns {string | undefined} the name of a property that is read */
const propertyOf = ({ computed: isComputed, property }) => {
  if (!isComputed) return property.name;
  return /^(?:String|Numeric)Literal$/.test(property.type) ? String(property.value) : undefined;
};

const isMember = (/** @type {Node} */ { type }) => /^(?:Optional)?MemberExpression$/.test(type);
const isCall = (/** @type {Node} */ { type }) => /^(?:Optional)?CallExpression$/.test(type);

/** @param {Node} node @param {Scope} scope @param {string} name */
const isGlobal = (node, scope, name) =>
  node.type === 'Identifier' && node.name === name && findBinding(scope, name) === undefined;

/** @param {Node} node @param {Scope} scope */
const isE = (node, scope) => {
  const found = node.type === 'Identifier' ? findBinding(scope, node.name) : undefined;
  return found?.imported === 'E' && hasE.test(found.specifier ?? '');
};

/** Whether a node is `E(…)`. @param {Node} node @param {Scope} scope */
const isTarget = (node, scope) => isCall(node) && isE(node.callee, scope);

/** @param {Node} callee @param {Scope} scope */
const isAsync = (callee, scope) => {
  if (callee.type !== 'Identifier') return false;
  const { kind, init } = findBinding(scope, callee.name) ?? {};
  if (kind !== 'const' && kind !== 'function') return false;
  return /Function/.test(init?.type ?? '') && init?.async === true && init.generator !== true;
};

/** Constants that each stand for the next, at most; the first of more counts as no promise. */
const longestChain = 100;

/** @returns {(node: Node, scope: Scope) => boolean} whether the value of an expression must be a promise */
const makePromiseFinder = () => {
  /** By the values of constants, each of which is asked about once. @type {Map<Node, boolean>} */
  const told = new Map();
  let chain = 0;

  /** @param {Node} node  an identifier @param {Scope} scope */
  const isConstantPromise = (node, scope) => {
    const { kind, init, scope: own } = findBinding(scope, node.name) ?? {};
    if (kind !== 'const' || init === undefined || own === undefined || chain === longestChain)
      return false;
    const known = told.get(init);
    if (known !== undefined) return known;
    // While it is asked about: constants may refer to each other in a circle.
    told.set(init, false);
    chain += 1;
    const found = isPromise(init, own);
    chain -= 1;
    told.set(init, found);
    return found;
  };

  /** @param {Node} node @param {Scope} scope @returns {boolean} */
  const isPromise = (node, scope) => {
    if (node.type === 'Identifier') return isConstantPromise(node, scope);
    if (node.type === 'ConditionalExpression')
      return isPromise(node.consequent, scope) && isPromise(node.alternate, scope);
    if (node.type === 'NewExpression') return isGlobal(node.callee, scope, 'Promise');
    // E.get(x).name
    if (isMember(node))
      return (
        isCall(node.object) &&
        isMember(node.object.callee) &&
        isE(node.object.callee.object, scope) &&
        propertyOf(node.object.callee) === 'get'
      );
    if (!isCall(node)) return false;
    const { callee } = node;
    if (isTarget(callee, scope) || isAsync(callee, scope)) return true;
    if (!isMember(callee)) return false;
    const name = propertyOf(callee) ?? '';
    return (
      isTarget(callee.object, scope) ||
      (eMethods.has(name) && isE(callee.object, scope)) ||
      (promiseMakers.has(name) && isGlobal(callee.object, scope, 'Promise')) ||
      (promiseMethods.has(name) && isPromise(callee.object, scope))
    );
  };
  return isPromise;
};

/** Whether a node is `E(x).name`, of which nobody knows yet that it is called. @param {Node} node @param {Scope} scope */
const isMethod = (node, scope) => isMember(node) && isTarget(node.object, scope);

/** @param {Node} pattern @returns {string | undefined} the first name that a pattern takes */
const firstKey = ({ type, properties }) => {
  if (type !== 'ObjectPattern') return undefined;
  const key = properties[0]?.key;
  return key && propertyOf({ ...properties[0], property: key });
};

/** @param {string | undefined} name */
const lacks = name => (name === undefined ? 'it has no parts' : `it has no ${name}`);

const isNoNumber = 'it is neither a number nor text';
const isAlwaysTrue = 'as a condition it is always true';

/**
 * The expressions that a node uses as values, each with what is wrong if it is a promise.
 *
 * @param {Node} node
 * @param {Scope} scope
 * @param {Node | undefined} parent
 * @returns {[expression: Node, problem: string][]}
 */
const usesOf = (node, scope, parent) => {
  const condition = conditions[node.type];
  if (condition !== undefined) return node[condition] ? [[node[condition], isAlwaysTrue]] : [];
  switch (node.type) {
    case 'BinaryExpression': {
      const { operator, left, right } = node;
      if (arithmetic.has(operator) || comparisons.has(operator))
        return [left, right].map(side => [side, isNoNumber]);
      if (!equalities.has(operator)) return [];
      if (isConstant(right)) return [[left, 'it equals nothing else']];
      return isConstant(left) ? [[right, 'it equals nothing else']] : [];
    }
    case 'UnaryExpression':
      if (node.operator === '!') return [[node.argument, isAlwaysTrue]];
      return ['+', '-', '~'].includes(node.operator) ? [[node.argument, isNoNumber]] : [];
    case 'AssignmentExpression':
      if (arithmetic.has(node.operator)) return [[node.right, isNoNumber]];
      return node.operator === '=' && /Pattern$/.test(node.left.type)
        ? [[node.right, lacks(firstKey(node.left))]]
        : [];
    case 'VariableDeclarator':
      return node.init && /Pattern$/.test(node.id.type)
        ? [[node.init, lacks(firstKey(node.id))]]
        : [];
    case 'TemplateLiteral':
      if (parent?.type === 'TaggedTemplateExpression') return [];
      return node.expressions.map((/** @type {Node} */ part) => [
        part,
        'as text it is "[object Promise]"',
      ]);
    case 'SpreadElement':
      return [[node.argument, 'it has nothing to spread']];
    case 'SwitchStatement':
      return [[node.discriminant, 'it equals nothing else']];
    case 'ForOfStatement':
      return [[node.right, 'it has no elements']];
    case 'CallExpression': {
      const { callee } = node;
      const passed = /** @type {Node[]} */ (node.arguments);
      const converts =
        (callee.type === 'Identifier' &&
          converters.has(callee.name) &&
          isGlobal(callee, scope, callee.name)) ||
        (isMember(callee) && isGlobal(callee.object, scope, 'Math'));
      if (converts) return passed.map((/** @type {Node} */ part) => [part, isNoNumber]);
      return isMember(callee) &&
        isGlobal(callee.object, scope, 'JSON') &&
        propertyOf(callee) === 'stringify'
        ? passed.slice(0, 1).map((/** @type {Node} */ part) => [part, 'as JSON it is {}'])
        : [];
    }
    case 'AwaitExpression':
      return isMethod(node.argument, scope) ? [[node.argument, 'it is not called']] : [];
    case 'ExpressionStatement':
      return isMethod(node.expression, scope) ? [[node.expression, 'it is not called']] : [];
    default:
  }
  if (!isMember(node)) return [];
  /** @type {[Node, string][]} */
  const uses = node.computed ? [[node.property, 'it is no key']] : [];
  const name = propertyOf(node);
  // A method that is not there throws, with a hint of its own.
  const isCalled = parent !== undefined && isCall(parent) && parent.callee === node;
  if (name !== undefined && !isCalled && !promiseProperties.has(name))
    uses.push([node.object, lacks(name)]);
  return uses;
};

/**
 * Properties that the module gives to objects, as `name.property`: a promise may be given some, too.
 *
 * @param {Node} program
 */
const findGiven = program => {
  /** @type {Set<string>} */
  const given = new Set();
  walk(program, ({ type, left }) => {
    if (type === 'AssignmentExpression' && isMember(left) && left.object.type === 'Identifier')
      given.add(`${left.object.name}.${propertyOf(left)}`);
  });
  return given;
};

/**
 * @param {Node} program
 * @param {string} source  of the program
 * @returns {Unawaited[]} in the order of the source
 */
export const findUnawaited = (program, source) => {
  /** @type {Unawaited[]} */
  const found = [];
  const given = findGiven(program);
  const isPromise = makePromiseFinder();
  walkScopes(program, (node, scope, parent) => {
    if (isMember(node) && given.has(`${node.object.name}.${propertyOf(node)}`)) return true;
    if (found.length >= mostUses) return false;
    for (const [expression, problem] of usesOf(node, scope, parent)) {
      const isUncalled = isMethod(expression, scope) && !isMember(node);
      if (!isUncalled && !isPromise(expression, scope)) continue;
      const written = source.slice(expression.start, expression.end).replace(/\s+/g, ' ');
      const text = written.length > longestText ? `${written.slice(0, longestText - 1)}…` : written;
      const { line } = expression.loc.start;
      found.push({ line, text, problem, ...(isUncalled && { isMethod: true }) });
    }
    return true;
  });
  return found;
};
