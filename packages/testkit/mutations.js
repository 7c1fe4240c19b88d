// Makes nearly correct strings for fuzzers from correct ones: pieces are removed, doubled, moved, nested,
// replaced by difficult ones, or taken from another string.

/** @import { Random } from './random.js' */

/** Difficult pieces: numbers at a bound, names with a meaning, brackets, characters that are not text. */
const hurtful = [
  ...['', '0', '-0', '-1', '1e999', '1e-999', '9007199254740993', '00', '0x10', 'NaN', '.', '-'],
  ...[
    'null',
    'true',
    '{}',
    '[]',
    '""',
    '[[',
    '{"',
    '"]',
    '}',
    ']',
    '[',
    '{',
    '"',
    '\\',
    '\\"',
    ',',
  ],
  ...['__proto__', 'constructor', 'toString', 'then', 'length', 'prototype', 'hasOwnProperty'],
  ...[
    '\u0000',
    '\u001b[2K',
    '\r',
    '\n',
    '\t',
    '\u2028',
    '\ud800',
    '\udfff',
    '\ufeff',
    '\u{10ffff}',
  ],
  ...[
    '$0',
    '&0',
    '$1',
    '$9',
    '#',
    '#undefined',
    '#NaN',
    '#tag',
    '#error',
    '!',
    '+1',
    '%x',
    '(',
    '*',
  ],
  ...['"@qclass"', '{"@qclass":"ibid","index":0}', '{"@qclass":"slot","index":1}', '"index":-1'],
  ...['ro+0', 'ro-1', 'rp+40', 'rp-99', 'o+0', 'p-60', ':', ';', 'deliver', 'resolve', 'fulfill'],
  ...['99999999999999999999', 'ms', '10 s', '../..', '/', '%2e', 'node:fs', 'file:///', '😀'],
];

/** @param {Random} random @param {string} text  @returns {[from: number, to: number]} a short piece */
const pickPiece = (random, text) => {
  const from = random.below(text.length + 1);
  return [
    from,
    Math.min(text.length, from + random.below(random.chance(0.9) ? 8 : text.length + 1)),
  ];
};

/** @type {((random: Random, text: string, other: string) => string)[]} */
const changes = [
  (random, text) => {
    const [from, to] = pickPiece(random, text);
    return text.slice(0, from) + text.slice(to);
  },
  (random, text) => {
    const [from, to] = pickPiece(random, text);
    return text.slice(0, to) + text.slice(from);
  },
  (random, text) => {
    const [from, to] = pickPiece(random, text);
    return text.slice(0, from) + random.pick(hurtful) + text.slice(to);
  },
  (random, text) => {
    const at = random.below(text.length + 1);
    return text.slice(0, at) + random.pick(hurtful) + text.slice(at);
  },
  (random, text, other) => {
    const [from, to] = pickPiece(random, text);
    const [start, end] = pickPiece(random, other);
    return text.slice(0, from) + other.slice(start, end) + text.slice(to);
  },
  (random, text, other) =>
    text.slice(0, random.below(text.length + 1)) + other.slice(random.below(other.length + 1)),
  (random, text) => {
    // Another word or number instead of one.
    const words = [...text.matchAll(/[\w.+-]+/g)];
    if (words.length === 0) return text;
    const { index, 0: word } = random.pick(words);
    const by = random.chance(0.5) ? random.pick(words)[0] : random.pick(hurtful);
    return text.slice(0, index) + by + text.slice(index + word.length);
  },
  (random, text) => {
    const [from, to] = pickPiece(random, text);
    return (
      text.slice(0, from) + text.slice(from, to).repeat(random.pick([2, 3, 50])) + text.slice(to)
    );
  },
  (random, text) => {
    const depth = random.pick([1, 2, 30, 2000]);
    const [open, close] = random.pick([
      ['[', ']'],
      ['{"a":', '}'],
      ['{"#tag":"a","payload":', '}'],
      ['{"@qclass":"hilbert","original":', '}'],
    ]);
    const [from, to] = pickPiece(random, text);
    return `${text.slice(0, from)}${open.repeat(depth)}${text.slice(from, to)}${close.repeat(depth)}${text.slice(to)}`;
  },
];

/**
 * @param {Random} random
 * @param {readonly string[]} corpus  correct or difficult strings; not empty
 * @returns {() => string}
 */
export const makeMutations = (random, corpus) => () => {
  let text = random.pick(corpus);
  const count = random.below(4);
  for (let i = 0; i < count && text.length < 100_000; i += 1)
    text = random.pick(changes)(random, text, random.pick(corpus));
  return text;
};

/**
 * The number of strings that a fuzzer tries, and its seed: a few strings in the short test, or as many as the
 * environment says.
 *
 * @param {number} usual
 */
export const fuzzing = usual => {
  const { SWINGSET_RUNNER_FUZZ_ROUNDS: rounds, SWINGSET_RUNNER_FUZZ_SEED: seed } = process.env;
  return { rounds: Number(rounds ?? usual), seed: seed ?? 'kept' };
};
