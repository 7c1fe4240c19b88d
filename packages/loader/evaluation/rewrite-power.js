// Rewrites `a ** b` and `a **= b` to calls of `__power__`, whose result is the same on every engine
// (../numbers/raise.js). The engine never sees the operator, so it cannot fold constants either. Nothing else in a text
// changes, and lines stay.

import { powerName } from '../numbers/index.js';
import { makeEdits } from './edits.js';
import { walk } from './syntax-tree.js';

/** @import { Node } from './syntax-tree.js' */

/**
 * Whether a text may have the operator: a run of at least two stars that does not follow a slash. In code, `/**` begins
 * a comment, unless the slash ends a comment (then a star precedes it) or a regular expression; a power of a regular
 * expression is the same on every engine.
 */
export const mayHavePower = (/** @type {string} */ text) =>
  text.includes('**') && /(?<!\*|(?<!\*)\/)\*\*/.test(text);

const gap = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/)*/y;

/**
 * @param {string} text
 * @param {Node} program  its syntax tree, with parentheses as nodes
 * @param {(problem: string) => never} fail
 * @returns {string}
 */
export const rewritePower = (text, program, fail) => {
  const { open, close, replace, apply } = makeEdits(text);

  /** Skip white space and comments. @param {number} from */
  const skip = from => {
    gap.lastIndex = from;
    return from + (gap.exec(text)?.[0].length ?? 0);
  };

  /** @param {Node} node  an assignment @param {Node} target  without parentheses */
  const rewriteProperty = (node, target) => {
    const { object, property, computed } = target;
    replace(node.left.start, target.start, '');
    replace(target.end, node.left.end, '');
    const isPrivate = property.type === 'PrivateName';
    const isSuper = object.type === 'Super';
    const method = isPrivate || isSuper ? 'slot' : 'member';
    open(node.start, ` ${powerName}.${method}(`);
    const name = isPrivate ? '0' : JSON.stringify(property.name ?? null);
    if (computed) {
      // `a[b, c]` is one key.
      if (isSuper) replace(target.start, property.start, 'this, (');
      else {
        const bracket = skip(object.end);
        replace(bracket, bracket + 1, ', (');
      }
      replace(target.end - 1, target.end, ')');
    } else if (isSuper) replace(target.start, target.end, `this, ${name}`);
    else replace(object.end, target.end, `, ${name}`);
    if (isPrivate) {
      const inner = `#${property.id.name}`;
      return `, (o) => o.${inner}, (o, k, v) => { o.${inner} = v; })(`;
    }
    return isSuper ? ', (o, k) => super[k], (o, k, v) => { super[k] = v; })(' : ')(';
  };

  walk(program, node => {
    if (node.type === 'Identifier' && node.name === powerName)
      fail(`the name ${powerName} is taken: it stands for the operator "**"`);
    const { left, right, operator } = node;
    const isAssignment = node.type === 'AssignmentExpression' && operator === '**=';
    if (!isAssignment && !(node.type === 'BinaryExpression' && operator === '**')) return;
    const at = skip(left.end);
    if (!text.startsWith(operator, at) || at >= right.start) fail('an operator "**" was not found');
    close(node.end, ')');
    if (!isAssignment) {
      open(node.start, ` ${powerName}(`);
      replace(at, at + 2, ',');
      return;
    }
    let target = left;
    while (target.type === 'ParenthesizedExpression') target = target.expression;
    const between =
      target.type === 'MemberExpression'
        ? rewriteProperty(node, target)
        : `= ${powerName}(${target.name}, `;
    replace(at, at + 3, between);
  });
  return apply();
};
