// Strips types from vats in TypeScript. Types become blanks, so lines and columns stay. The user installs the stripper,
// `ts-blank-space`, since it depends on TypeScript; it is loaded when a source needs it.

import { createRequire } from 'node:module';
import { lineOf } from '#config';
import { UserError } from '#model';

/** @typedef {(source: string, onError: (node: { pos: number, end: number }) => void) => string} Strip */

/** @param {string} file */
export const isTypeScript = file => /\.m?ts$/.test(file) && !/\.d\.m?ts$/.test(file);

/** @type {Promise<Strip> | undefined} */
let loading;

/** @param {string} shown  the file that needs it @returns {Promise<Strip>} */
const loadStripper = async shown => {
  try {
    const { default: strip } = await import('ts-blank-space');
    return /** @type {Strip} */ (strip);
  } catch (error) {
    loading = undefined;
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const why =
      code === 'ERR_MODULE_NOT_FOUND'
        ? 'the package ts-blank-space, which strips types, is not installed'
        : `the package ts-blank-space, which strips types, cannot be loaded (${message})`;
    throw new UserError(`${shown} is TypeScript: ${why}; npm install --save-dev ts-blank-space`, {
      cause: error,
    });
  }
};

/**
 * Find a slip of TypeScript's syntax: the stripper takes what is no type for one, and blanks it.
 *
 * @param {string} source
 * @returns {{ start: number, messageText: string | { messageText: string } } | undefined} the first one, if the stripper's
 *   TypeScript tells it
 */
const findSlip = source => {
  const ownRequire = createRequire(createRequire(import.meta.url).resolve('ts-blank-space'));
  const typescript = ownRequire('typescript');
  const { parseDiagnostics = [] } = typescript.createSourceFile(
    'vat.ts',
    source,
    typescript.ScriptTarget.ESNext,
  );
  return parseDiagnostics[0];
};

/**
 * @param {string} source
 * @param {string} shown  path for messages
 * @returns {Promise<string>} JavaScript with the same lines and columns
 * @throws {UserError} if the stripper is not installed, the source has TypeScript syntax beyond types, or a slip of syntax
 */
export const stripTypes = async (source, shown) => {
  loading ??= loadStripper(shown);
  const strip = await loading;
  const stripped = strip(source, ({ pos, end }) => {
    const text = source.slice(pos, end);
    const at = pos + text.search(/\S/);
    const [first] = text.trim().split('\n');
    throw new UserError(
      `${shown}:${lineOf(source, at)}: "${first.slice(0, 60)}" is more than a type, and only types can be stripped; write it as JavaScript (no enum, namespace, or parameter property)`,
    );
  });
  const slip = findSlip(source);
  if (slip === undefined) return stripped;
  const { start, messageText } = slip;
  const why = typeof messageText === 'string' ? messageText : messageText.messageText;
  throw new UserError(`${shown}:${lineOf(source, start)}: ${why}`);
};
