// `transformTildot(source)`, a power of 2020's vats: source text with eventual sends (`x~.method(y)`) as source text
// without. Where `~.` may stand, `?.` may, and binds as strongly: so the text is parsed with the one put for the
// other, and what the parser then finds to be optional is what has to be sent.

import { createRequire } from 'node:module';

/** @typedef {{ type: string, start: number, end: number, [field: string]: any }} Node */

/** In 2020 too a digit after it made it the bitwise complement of a fraction. */
const tildot = /~\.(?!\d)/g;

/** Whether there may be one in a text. @param {string} text */
export const mayHaveTildot = text => text.search(tildot) >= 0;

/** @type {((text: string, options: object) => any) | undefined} */
let parse;

/** The parser takes long to load, and nearly no vat needs it. @param {string} text */
const parseModule = text => {
  parse ??= createRequire(import.meta.url)('@babel/parser').parse;
  const options = { sourceType: 'module', createParenthesizedExpressions: true };
  return /** @type {NonNullable<typeof parse>} */ (parse)(text, options).program;
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
 * @param {(target: Node) => boolean} isSentTo  whether `~.` stands behind the target
 * @returns {Send[]}  in their order; outer ones before those inside
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
 * @returns {string}  for whoever evaluates it with `HandledPromise` in reach; lines stay lines
 * @throws {SyntaxError}
 */
export const transformTildot = source => {
  const text = `${source}`;
  const places = new Set([...text.matchAll(tildot)].map(({ index }) => index));
  if (places.size === 0) return text;

  /** @type {Node} */
  let program;
  try {
    program = parseModule(text.replace(tildot, '?.'));
  } catch (error) {
    throw SyntaxError(/** @type {Error} */ (error).message, { cause: error });
  }

  /** Blanks and comments may stand between. @param {Node} target */
  const isSentTo = ({ end }) => {
    const gap = /^(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*/.exec(text.slice(end));
    return places.has(end + (gap?.[0].length ?? 0));
  };
  const sends = findSends(program, isSentTo);

  /**
   * @param {number} from
   * @param {number} to
   * @returns {string}
   */
  const render = (from, to) => {
    let written = '';
    let at = from;
    for (const send of sends) {
      if (send.start < at || send.end > to) continue;
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
