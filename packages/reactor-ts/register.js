// `node --import swingset-runner/reactor-ts/register program.js`: imports and requires of
// `@lf-lang/reactor-ts` in the program get this package.

import Module, { register } from 'node:module';
import { fileURLToPath } from 'node:url';

const name = '@lf-lang/reactor-ts';
const target = new URL('index.js', import.meta.url);

register(
  `data:text/javascript,${encodeURIComponent(
    `export const resolve = (specifier, context, next) =>
      specifier === ${JSON.stringify(name)} ? { url: ${JSON.stringify(target.href)}, shortCircuit: true } : next(specifier, context);`,
  )}`,
);

// `require` calls this function in every version of Node.
const modules = /** @type {any} */ (Module);
const resolveFilename = modules._resolveFilename;
/** @type {(request: string, ...rest: unknown[]) => string} */
modules._resolveFilename = function resolve(request, ...rest) {
  if (request === name) return fileURLToPath(target);
  return resolveFilename.call(this, request, ...rest);
};
