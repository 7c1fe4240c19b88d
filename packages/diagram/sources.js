// Finds the sources of a diagram's parts, by searching the program's files for the names of classes, fields and
// interfaces. The files are the entry and its relative imports. A part without such a name, such as a reaction in no
// field, is shown at its class.

import fs from 'node:fs';
import path from 'node:path';

/** @import { Box, Item, Scene, Seek } from './scene.js' */

/** @typedef {{ file: string, text: string }} SourceFile  `file`: path relative to `root`, with slashes */
/** @typedef {{ file: string, line: number }} SourcePlace  lines count from 1 */

/**
 * @typedef {object} Sources
 * @property {Map<string, SourcePlace>} places  by id of a box or an item
 * @property {SourceFile[]} files  the files of these places
 */

/** Bounds on the files of a program and on the bytes of a file; others are not shown. */
const mostFiles = 200;
const mostBytes = 1_000_000;

const relativeImport = /\b(?:from|import)\s*\(?\s*['"](\.\.?\/[^'"\n]+)['"]/g;

/** @param {string} value */
const escapeForPattern = value => value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** @param {string} file */
const readText = file => {
  try {
    return fs.statSync(file).size <= mostBytes ? fs.readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Whether a page may show a file. A page may be published, and a program may be untrusted, so only scripts in the given
 * folders are shown.
 *
 * @param {string} file
 * @param {string[]} folders
 */
const mayShow = (file, folders) =>
  /\.[cm]?[jt]s$/.test(file) &&
  folders.some(folder => {
    const inside = path.relative(folder, file);
    return !path.isAbsolute(inside) && inside.split(path.sep)[0] !== '..';
  });

/**
 * Read a file and its relative imports, by absolute path.
 *
 * @param {string} entry
 * @param {string} root
 * @returns {Map<string, string>}
 */
const readProgram = (entry, root) => {
  const folders = [path.resolve(root), path.dirname(path.resolve(entry))];
  /** @type {Map<string, string>} */
  const texts = new Map();
  const open = [path.resolve(entry)];
  for (const file of open) {
    if (texts.has(file) || texts.size >= mostFiles || !mayShow(file, folders)) continue;
    const text = readText(file);
    if (text === undefined) continue;
    texts.set(file, text);
    for (const [, specifier] of text.matchAll(relativeImport))
      open.push(path.resolve(path.dirname(file), specifier));
  }
  return texts;
};

/** @param {string} text @param {number} index */
const lineAt = (text, index) => text.slice(0, index).split('\n').length;

/** @param {Map<string, string>} texts @param {RegExp} pattern */
const findIn = (texts, pattern) => {
  for (const [file, text] of texts) {
    const found = pattern.exec(text);
    if (found !== null) return { file, index: found.index, line: lineAt(text, found.index) };
  }
  return undefined;
};

/**
 * @param {Map<string, string>} texts
 * @param {Seek} seek
 * @returns {{ file: string, line: number } | undefined}
 */
const findPlace = (texts, { class: type, member, iface }) => {
  if (iface !== undefined) {
    const found = findIn(texts, new RegExp(`['"\`]${escapeForPattern(iface)}['"\`]`));
    if (found !== undefined) return found;
  }
  if (type === undefined)
    return findIn(texts, /\b(?:function|const|let)\s+(?:buildRootObject|setup)\b|\bexport\b/);
  const home = findIn(texts, new RegExp(`\\bclass\\s+${escapeForPattern(type)}\\b`));
  if (home === undefined || member === undefined) return home;
  const text = /** @type {string} */ (texts.get(home.file));
  const pattern = new RegExp(`(?:^|[\\s.;{])${escapeForPattern(member)}\\s*=`, 'g');
  pattern.lastIndex = home.index;
  const found = pattern.exec(text);
  // A field after the next class belongs to another class.
  const next = text.slice(home.index + 1).search(/^\s*(?:export\s+)?(?:default\s+)?class\s/m);
  if (found === null || (next >= 0 && found.index > home.index + 1 + next)) return home;
  return { file: home.file, line: lineAt(text, found.index + found[0].search(/\S/)) };
};

/**
 * @param {Scene} scene
 * @param {ReadonlyMap<string, string>} entries  the entry file of each vat; the key is '' for a program outside of vats
 * @param {string} root  shown paths are relative to it
 * @returns {Sources}
 */
export const findSources = (scene, entries, root) => {
  /** @type {Map<string, Map<string, string>>} */
  const programs = new Map();
  for (const [vat, entry] of entries) programs.set(vat, readProgram(entry, root));
  /** @type {Sources['places']} */
  const places = new Map();
  /** @type {Map<string, SourceFile>} */
  const files = new Map();

  const look = (/** @type {Box | Item} */ { id, seek }) => {
    const texts = seek && programs.get(seek.vat);
    const place = texts && findPlace(texts, seek);
    if (place === undefined) return;
    const file = path.relative(root, place.file).replaceAll(path.sep, '/');
    places.set(id, { file, line: place.line });
    files.set(file, { file, text: /** @type {string} */ (texts?.get(place.file)) });
  };

  const walk = (/** @type {Box} */ box) => {
    look(box);
    box.items.forEach(look);
    box.boxes.forEach(walk);
  };
  scene.boxes.forEach(walk);
  return { places, files: [...files.values()] };
};
