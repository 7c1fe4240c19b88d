// The second wall between vats and the engine's module loader: what code asks for that SES has evaluated is refused by the
// loader itself. Whatever spelling gets by `refuseImport`, its request comes from the module of SES that holds the evaluator.
//
// Node 20 has no hooks on its own thread, and no dynamic import but `import(`, which SES refuses. What the host program
// imports passes untouched.

import * as nodeModule from 'node:module';

/** The module whose `Function` makes the evaluators: the referrer of all that they evaluate, in any copy of SES. */
const evaluatorPath = /\/ses\/(?:src\/make-evaluate\.js|dist\/[^/]*)(?:[?#]|$)/;

/** The imports of that module itself, while it is loaded. */
const ownImports = new Set(['./commons.js', './scope-constants.js']);

let stands = false;

/** Put it up, once. To be called when SES is loaded. */
export const raiseLoaderWall = () => {
  const { registerHooks } = /** @type {any} */ (nodeModule);
  if (stands || typeof registerHooks !== 'function') return;
  stands = true;
  /** Copies of SES that the host program loads from now on, with what each has yet to import. @type {Map<string, Set<string>>} */
  const loading = new Map();
  registerHooks({
    resolve(/** @type {string} */ specifier, /** @type {any} */ context, /** @type {any} */ next) {
      const { parentURL } = context;
      if (typeof parentURL === 'string' && evaluatorPath.test(parentURL)) {
        if (!loading.get(parentURL)?.delete(specifier))
          throw Error('code that was evaluated in a compartment can import nothing');
      }
      return next(specifier, context);
    },
    load(/** @type {string} */ url, /** @type {any} */ context, /** @type {any} */ next) {
      if (evaluatorPath.test(url)) loading.set(url, new Set(ownImports));
      return next(url, context);
    },
  });
};
