// CommonJS modules of a vat: packages of npm that are not written as ES modules. The text becomes the body of a function
// of `require`, `exports` and `module`, which runs when its module is executed. The names that other modules can import
// are found in the text by Endo's analyser, as Node finds them; `default` is `module.exports`.
//
// Whether a `require` runs is not known before, so one of a missing module throws when it runs. `require` takes names
// that the text spells out, and knows no folders: `__filename` and `__dirname` are null, as in SwingSet's bundles.

import { quote } from '#model';

const head = `(function (require, exports, module, __filename, __dirname) { 'use strict'; `;

// A comment may end the text.
const tail = '\n})';

/** The number of characters that are put before the first line. */
export const commonJsIndent = head.length;

/** @param {string} text */
export const wrapCommonJs = text => head + text + tail;

/** Whether a parsed text is one function, which its module's text could have closed. @param {any} program */
export const isWrapped = ({ body: [first, ...more] }) =>
  more.length === 0 &&
  first.type === 'ExpressionStatement' &&
  first.expression.type === 'FunctionExpression';

const loadAnalyser = () => import('@endo/cjs-module-analyzer');

/**
 * @param {string} text
 * @param {string} shownFile
 * @returns {Promise<{ requires: string[], exports: string[], reexports: string[] }>}
 * @throws {SyntaxError} if it is an ES module, or does not parse
 */
export const analyseCommonJs = async (text, shownFile) => {
  const { analyzeCommonJS } = await loadAnalyser();
  const { requires, exports, reexports } = analyzeCommonJS(text, shownFile);
  return {
    requires: [...new Set(requires)],
    exports: [...new Set([...exports, 'default'])],
    reexports,
  };
};

const names = /\b(?:require|module|exports)\b/;

/**
 * Whether a text of a package that does not say `"type": "module"` is CommonJS: it uses its names and has neither imports
 * nor exports.
 *
 * @param {string} text
 */
export const looksCommonJs = async text => {
  if (!names.test(text)) return false;
  try {
    await analyseCommonJs(text, '');
    return true;
  } catch {
    // Compiling it as an ES module words the error.
    return false;
  }
};

/** @param {string} specifier */
const missing = specifier =>
  Object.assign(Error(`cannot find module ${quote(specifier)}; vats have no modules of Node`), {
    code: 'MODULE_NOT_FOUND',
  });

/** A running module. @typedef {{ exports: any }} Running */

/**
 * A module's source for SES.
 *
 * @param {object} module
 * @param {string} module.key
 * @param {string} module.program  an expression: the function
 * @param {string} module.url
 * @param {Record<string, string>} module.imports  keys by specifier, of the modules that were found
 * @param {string[]} module.exports
 * @param {Map<string, Running>} running  the CommonJS modules of the vat that have begun, by key
 */
export const makeCommonJsSource = ({ key, program, url, imports, exports }, running) => ({
  imports: Object.keys(imports),
  exports,
  /** @param {Record<string, unknown>} namespace @param {Compartment} compartment */
  execute(namespace, compartment) {
    const initial = {};
    /** @type {Running} */
    const module = { exports: initial };
    running.set(key, module);
    namespace.default = initial;
    /** @param {unknown} name */
    const require = name => {
      const specifier = String(name);
      if (!Object.hasOwn(imports, specifier)) throw missing(specifier);
      const target = imports[specifier];
      const found = /** @type {any} */ (compartment.importNow(target));
      const begun = running.get(target);
      if (begun !== undefined) return begun.exports;
      return Object.hasOwn(found, 'default') ? found.default : found;
    };
    // A module has no place in a vat.
    require.resolve = (/** @type {unknown} */ name) => {
      throw missing(String(name));
    };
    const run = compartment.evaluate(`${program}//# sourceURL=${url}\n`);
    if (typeof run !== 'function')
      throw TypeError(`the source of a CommonJS module must be a function, got ${typeof run}`);
    Reflect.apply(run, initial, [harden(require), initial, module, null, null]);
    const made = module.exports;
    namespace.default = made;
    // Names that were found in the text and are not there stay undefined, as in Node.
    for (const name of exports)
      if (name !== 'default' && Object(made) === made && name in made) namespace[name] = made[name];
  },
});
