// Translates eventual sends (`x~.method(y)`) in a source text to JavaScript: `transformTildot(source)`, a power of
// 2020's vats. `~.` has the syntax and precedence of `?.`, so the text is parsed with `?.` in its place, and the
// optional calls that the parser finds are the sends.

import { loadParser } from '#vendored/compiler.js';
import { isTooDeep, mostLevels } from './evaluation/index.js';

/** @typedef {{ type: string, start: number, end: number, [field: string]: any }} Node */

/** Before a digit it is the bitwise complement of a fraction, as in 2020. */
const tildot = /~\.(?!\d)/g;

/** White space and comments. */
const gapPattern = /\s*(?:(?:\/\/.*|\/\*[^]*?\*\/)\s*)*/;

/** Whether a text may have one. @param {string} text */
export const mayHaveTildot = text => text.search(tildot) >= 0;

/** @type {((text: string, options: object) => any) | undefined} */
let parse;

/** Load the parser on demand: loading is slow, and few vats need it. @param {string} text */
const parseModule = text => {
  parse ??= loadParser();
  const options = { sourceType: 'module', createParenthesizedExpressions: true };
  return parse(text, options).program;
};

/**
 * @param {unknown} node
 * @param {(node: Node) => void} visit  parents first
 */
const walk = (node, visit) => {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) walk(item, visit);
    return;
  }
  const { type, start, ...fields } = /** @type {any} */ (node);
  if (typeof type === 'string' && typeof start === 'number') visit(/** @type {Node} */ (node));
  for (const field of Object.values(fields)) walk(field, visit);
};

/**
 * @typedef {object} Send
 * @property {number} start
 * @property {number} end
 * @property {Node} target
 * @property {Node | undefined} property
 * @property {boolean} computed
 * @property {Node[] | undefined} args
 */

/**
 * @param {Node} program
 * @param {(target: Node) => boolean} isSentTo  whether `~.` follows the target
 * @returns {Send[]}  in the order of the text; outer sends before inner ones
 */
const findSends = (program, isSentTo) => {
  /** @type {Send[]} */
  const sends = [];
  /** @type {Set<Node>} */
  const called = new Set();
  walk(program, node => {
    const { type, start, end, optional } = node;
    if (type === 'OptionalCallExpression') {
      const { callee, arguments: args } = node;
      if (optional && isSentTo(callee)) {
        sends.push({ start, end, target: callee, property: undefined, computed: false, args });
      } else if (
        callee.type === 'OptionalMemberExpression' &&
        callee.optional &&
        isSentTo(callee.object)
      ) {
        called.add(callee);
        const { object: target, property, computed } = callee;
        sends.push({ start, end, target, property, computed, args });
      }
    } else if (type === 'OptionalMemberExpression' && optional && !called.has(node)) {
      const { object: target, property, computed } = node;
      if (isSentTo(target)) sends.push({ start, end, target, property, computed, args: undefined });
    }
  });
  return sends.sort((left, right) => left.start - right.start || right.end - left.end);
};

/**
 * @param {unknown} source  a module's text
 * @returns {string}  a text that needs the global `HandledPromise`; lines stay
 * @throws {SyntaxError} if the text does not parse, or is nested too deeply
 */
export const transformTildot = source => {
  const text = `${source}`;
  const places = new Set([...text.matchAll(tildot)].map(({ index }) => index));
  if (places.size === 0) return text;

  const makeDepthError = () =>
    SyntaxError(`the code is nested too deeply: it has more than ${mostLevels} levels`);
  /** @type {Node} */
  let program;
  try {
    program = parseModule(text.replace(tildot, '?.'));
  } catch (error) {
    if (error instanceof RangeError) throw makeDepthError();
    throw SyntaxError(/** @type {Error} */ (error).message, { cause: error });
  }
  if (isTooDeep(program, text)) throw makeDepthError();

  const gap = new RegExp(gapPattern, 'y');
  /** White space and comments may precede `~.`. @param {Node} target */
  const isSentTo = ({ end }) => {
    gap.lastIndex = end;
    gap.test(text);
    return places.has(gap.lastIndex);
  };
  const sends = findSends(program, isSentTo);
  let next = 0;

  /**
   * Renders a part of the text. Parts are rendered in the order of the text, and those of a send behind the send itself, so
   * the sends of a part are the next ones.
   *
   * @param {number} from
   * @param {number} to
   * @returns {string}
   */
  const render = (from, to) => {
    let written = '';
    let at = from;
    while (next < sends.length && sends[next].start < to) {
      const send = sends[next];
      next += 1;
      written += text.slice(at, send.start) + renderSend(send);
      at = send.end;
    }
    return written + text.slice(at, to);
  };

  /** @param {Send} send */
  const renderSend = send => {
    const { start, end, target, property, computed, args } = send;
    if (property?.type === 'PrivateName') {
      throw SyntaxError('a private name cannot be sent to an object');
    }
    /** @param {Node} node */
    const part = node => render(node.start, node.end);
    const parts = [part(target)];
    if (property) parts.push(computed ? part(property) : JSON.stringify(property.name));
    if (args) parts.push(`[${args.map(part).join(', ')}]`);
    const method = !args ? 'get' : property ? 'applyMethod' : 'applyFunction';
    const made = `HandledPromise.${method}(${parts.join(', ')})`;
    const lines = (/** @type {string} */ piece) => piece.split('\n').length;
    return made + '\n'.repeat(Math.max(0, lines(text.slice(start, end)) - lines(made)));
  };

  return render(0, text.length);
};
