// `node --import swingset-runner/reactor-ts/register program.js`: what the program imports or requires as
// `@lf-lang/reactor-ts` is this package.

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

// `require` asks here, on every Node.
const modules = /** @type {any} */ (Module);
const resolveFilename = modules._resolveFilename;
/** @type {(request: string, ...rest: unknown[]) => string} */
modules._resolveFilename = function resolve(request, ...rest) {
  if (request === name) return fileURLToPath(target);
  return resolveFilename.call(this, request, ...rest);
};
