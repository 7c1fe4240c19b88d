// Rewrites tagged templates of a vat's sources to calls: `tag`a${x}`` becomes `tag(template, (x))`. V8 compiles a text
// with a tagged template anew each time it is evaluated, and forgets what it learnt about its functions; so each vat of
// a bundle began cold, and a call has the same meaning. A template object is made when its place first runs, once for
// each evaluation of the text, as by the language. Lines stay.

import { makeEdits } from './edits.js';
import { templateName } from './template-objects.js';
import { walk } from './syntax-tree.js';

/** @import { Node } from './syntax-tree.js' */

/**
 * Whether a text may have a tagged template: a template follows the end of an expression, or a comment. It looks back from
 * the template, since some characters end a name and are white space too.
 */
export const mayHaveTagged = (/** @type {string} */ text) =>
  /`(?<=[\w$)\]}`/\u0080-\uffff]\s*`)/.test(text);

/** A name of variables that the text does not have. @param {string} text */
const freeName = text => {
  // In one pass, since the text may be a vat's.
  let longest = -1;
  for (const [, { length }] of text.matchAll(/__template(_*)/g))
    longest = Math.max(longest, length);
  return `__template${'_'.repeat(longest + 1)}`;
};

/** A call of `eval` would be a direct one, in parentheses, too. @param {Node} tag @returns {boolean} */
const isCallable = tag =>
  tag.type === 'ParenthesizedExpression'
    ? isCallable(tag.expression)
    : tag.type !== 'Identifier' || tag.name !== 'eval';

/**
 * @param {string} text
 * @param {Node} program  its syntax tree
 * @returns {string}  the same where the text itself uses the name of the function that makes templates
 */
export const rewriteTemplates = (text, program) => {
  const { open, close, replace, apply } = makeEdits(text);
  const name = freeName(text);
  /** @type {string[]} */
  const variables = [];
  let isTaken = false;

  /** `new` takes a callee without calls, unless it is in parentheses. @param {Node} callee */
  const enclose = callee => {
    let node = callee;
    for (;;) {
      if (node.type === 'TaggedTemplateExpression') {
        open(node.start, '(');
        close(node.end, ')');
        node = node.tag;
      } else if (node.type === 'MemberExpression') node = node.object;
      else return;
    }
  };

  walk(program, node => {
    if (node.type === 'Identifier' && node.name === templateName) isTaken = true;
    if (node.type === 'NewExpression') enclose(node.callee);
    if (node.type !== 'TaggedTemplateExpression' || !isCallable(node.tag)) return;
    const { quasis } = node.quasi;
    const variable = `${name}${variables.length}`;
    variables.push(variable);
    // A part with a wrong escape has no value.
    const cooked = quasis.map((/** @type {Node} */ { value }) =>
      typeof value.cooked === 'string' ? JSON.stringify(value.cooked) : 'void 0',
    );
    const raw = quasis.map((/** @type {Node} */ { value }) => JSON.stringify(value.raw));
    const template = `${variable} ??= ${templateName}([${cooked.join(', ')}], [${raw.join(', ')}])`;
    const last = quasis.length - 1;
    let at = node.quasi.start;
    quasis.forEach((/** @type {Node} */ { end }, /** @type {number} */ i) => {
      const head = i === 0 ? `(${template}` : ')';
      // Behind a part come `${`, or the end of the template.
      const next = i === last ? end + 1 : end + 2;
      replace(at, next, `${head}${i === last ? ')' : ', ('}`);
      // The expression ends where the next part begins, behind its brace.
      if (i < last) at = quasis[i + 1].start - 1;
    });
  });
  if (variables.length === 0 || isTaken) return text;
  // Hoisted, for functions may be called before the module runs.
  return `${apply()}\nvar ${variables.join(', ')};\n`;
};
