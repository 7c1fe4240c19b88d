// The exports of the package: each name of each public entry, with the declaration behind it.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse } from '@babel/parser';

/**
 * @typedef {object} PublicExport
 * @property {string} entry  as a program imports it: `.`, `./testing`
 * @property {string} name
 * @property {string} file  where it is declared, from the root
 * @property {any} node  its declaration, of Babel's tree
 * @property {string | undefined} docstring  the text within the comment before it
 */

/** Entries without promises, and those that no program imports by name. */
const leftOut = ['./internals', './reactor-ts/register'];

/** @param {any} statement @returns {any[]} what it declares */
const declaredBy = statement => {
  const { declaration = statement } = statement;
  if (declaration?.type === 'VariableDeclaration') return declaration.declarations;
  return declaration?.id ? [declaration] : [];
};

/**
 * Whether a comment declares or imports another type, and so does not describe what stands behind it.
 *
 * @param {string} text
 * @param {string} name  of what stands behind it; a value may only carry the name of a type
 */
const isOfOther = (text, name) =>
  /@import\b/.test(text) ||
  (/@typedef\b/.test(text) && !new RegExp(`@typedef\\b[^]*\\b${name}\\b`).test(text));

/** @param {any} node @param {string} name @returns {string | undefined} */
export const docstringBefore = (node, name) => {
  // Lines between the two are for the linter.
  const last = node.leadingComments?.findLast(
    (/** @type {any} */ { type }) => type === 'CommentBlock',
  );
  if (!last?.value.startsWith('*') || isOfOther(last.value, name)) return undefined;
  return last.value.replace(/^\s*\* ?/gm, '').trim();
};

/**
 * @param {string} root  the folder with package.json
 * @returns {PublicExport[]} once each, at the first entry that has it
 * @throws {Error} an entry exports a name that no file declares
 */
export const readPublicExports = root => {
  const { exports, imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  /** @type {Map<string, any[]>} */
  const trees = new Map();
  const statementsOf = (/** @type {string} */ file) => {
    const known = trees.get(file);
    if (known) return known;
    const text = readFileSync(file, 'utf8');
    const { body } = parse(text, { sourceType: 'module', attachComment: true }).program;
    trees.set(file, body);
    return body;
  };

  /** @param {string} from @param {string} specifier @returns {string | undefined} a file of ours */
  const resolve = (from, specifier) => {
    if (specifier.startsWith('.')) return join(dirname(from), specifier);
    if (!specifier.startsWith('#')) return undefined;
    const exact = imports[specifier];
    if (exact) return join(root, exact.default ?? exact);
    const [, folder, rest] = /^(#[^/]+)\/(.+)\.js$/.exec(specifier) ?? [];
    const file = imports[`${folder}/*.js`]?.default.replace('*', rest);
    return file && existsSync(join(root, file)) ? join(root, file) : undefined;
  };

  /**
   * @param {string} file
   * @param {string} name
   * @returns {{ file: string, node: any, docstring: string | undefined } | undefined}
   */
  const find = (file, name) => {
    for (const statement of statementsOf(file)) {
      const node = declaredBy(statement).find(each => each.id.name === name);
      if (node) return { file, node, docstring: docstringBefore(statement, name) };
      for (const specifier of statement.specifiers ?? []) {
        const isImport = statement.type === 'ImportDeclaration';
        const here = isImport ? specifier.local : specifier.exported;
        if (here?.name !== name) continue;
        const there = (isImport ? specifier.imported : specifier.local)?.name;
        const target = statement.source ? resolve(file, statement.source.value) : file;
        if (target === undefined || there === undefined) return undefined;
        if (target !== file || there !== name) return find(target, there);
      }
    }
    for (const { type, source } of statementsOf(file)) {
      const target = type === 'ExportAllDeclaration' && resolve(file, source.value);
      const found = target && find(target, name);
      if (found) return found;
    }
    return undefined;
  };

  /** @param {string} file @returns {string[]} */
  const namesOf = file =>
    statementsOf(file).flatMap(statement => {
      if (statement.type === 'ExportAllDeclaration') {
        const target = resolve(file, statement.source.value);
        return target === undefined ? [] : namesOf(target);
      }
      if (statement.type !== 'ExportNamedDeclaration') return [];
      return [
        ...declaredBy(statement).map(each => each.id.name),
        ...statement.specifiers.map((/** @type {any} */ each) => each.exported.name),
      ].filter(name => name !== undefined);
    });

  /** @type {Map<any, PublicExport>} */
  const all = new Map();
  for (const [entry, target] of Object.entries(exports)) {
    const path = target.default ?? target;
    if (leftOut.includes(entry) || !path.endsWith('.js')) continue;
    for (const name of namesOf(join(root, path))) {
      const found = find(join(root, path), name);
      if (found === undefined) throw Error(`${path} exports ${name}, which no file declares`);
      if (!all.has(found.node))
        all.set(found.node, { entry, name, ...found, file: relative(root, found.file) });
    }
  }
  return [...all.values()];
};
