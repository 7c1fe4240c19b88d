// Strips types from vats in TypeScript. Types become blanks, so lines and columns stay. The user installs the stripper,
// `ts-blank-space`, since it depends on TypeScript; it is loaded when a source needs it.

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
 * @param {string} source
 * @param {string} shown  path for messages
 * @returns {Promise<string>} JavaScript with the same lines and columns
 * @throws {UserError} if the stripper is not installed, or the source has TypeScript syntax beyond types
 */
export const stripTypes = async (source, shown) => {
  loading ??= loadStripper(shown);
  const strip = await loading;
  return strip(source, ({ pos, end }) => {
    const text = source.slice(pos, end);
    const at = pos + text.search(/\S/);
    const [first] = text.trim().split('\n');
    throw new UserError(
      `${shown}:${lineOf(source, at)}: "${first.slice(0, 60)}" is more than a type, and only types can be stripped; write it as JavaScript (no enum, namespace, or parameter property)`,
    );
  });
};
