// Checks how comments begin. A comment is a sentence, or a noun phrase; it does not begin with a clause that has no main
// verb ("What a vat was told."), and does not lean on the comment above ("The same, but …").

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';

/** @import { House } from './house.js' */

/** A file whose comments are not ours, or are data. */
const isForeign = /(^|\/)(fixtures|vendored|snapshots|alias)\//;

const wrong = /^(The same|Those|Of|Who|Whom|Whose|Whoever|What|Whatever|Which)\b/;

/** A boolean's docstring may begin with it; elsewhere it makes a subject that has to be read twice. */
const wrongOnLines = /^(Whether)\b/;

/** A directive for a tool, or a tag of JSDoc: neither is prose. */
const isDirective = /^(@|eslint|prettier|global\b)/;

/**
 * Comments of a source, as the parser gives them.
 *
 * @param {string} text
 */
export const commentsOf = text =>
  parse(text, { sourceType: 'unambiguous', errorRecovery: true }).comments ?? [];

/**
 * Paragraphs of comments: consecutive line comments are one, a block's stars are left out.
 *
 * @param {string} text
 * @returns {{ line: number, prose: string, isBlock: boolean }[]} `line`: the first one, from 1
 */
const paragraphsOf = text => {
  /** @type {{ line: number, last: number, prose: string, isBlock: boolean }[]} */
  const paragraphs = [];
  for (const { type, value, loc } of commentsOf(text)) {
    const line = loc?.start.line ?? 0;
    const isBlock = type === 'CommentBlock';
    const prose = (isBlock ? value.replace(/^\*/, '').replace(/^\s*\*/gm, '') : value).trim();
    const before = paragraphs.at(-1);
    if (before !== undefined && !isBlock && !before.isBlock && before.last === line - 1) {
      before.prose += ` ${prose}`;
      before.last = line;
    } else paragraphs.push({ line, last: loc?.end.line ?? 0, prose, isBlock });
  }
  return paragraphs;
};

/**
 * Finds comments that begin with a wrong word. A question may begin with any word.
 *
 * @param {string} text
 * @returns {{ line: number, begin: string }[]} `begin`: the words that are wrong
 */
export const findWrongBegins = text =>
  paragraphsOf(text).flatMap(({ line, prose, isBlock }) => {
    const [begin] = wrong.exec(prose) ?? (isBlock ? [] : (wrongOnLines.exec(prose) ?? []));
    const isQuestion = /^[^.]*\?/.test(prose);
    return begin === undefined || isQuestion || isDirective.test(prose) ? [] : [{ line, begin }];
  });

/**
 * @param {House} house
 * @returns {string[]} problems
 */
export const checkComments = ({ root, files }) =>
  files
    .filter(file => /\.(js|mjs)$/.test(file) && !isForeign.test(file))
    .flatMap(file =>
      findWrongBegins(readFileSync(join(root, file), 'utf8')).map(
        ({ line, begin }) =>
          `${file}:${line}: the comment begins with "${begin}"; name the subject, then say what it is or does`,
      ),
    );
