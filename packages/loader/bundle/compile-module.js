// Compiles a module's text for SES compartments, which then need no parser: the program, its imports and its exports.
// Loading Babel is slow, so each text is compiled once (compiled-cache.js) and this file is imported on demand. Lines
// and columns are kept, except for columns on the first line, so that stacks and breakpoints match the author's text.

import { Script } from 'node:vm';
import { UserError } from '#model';
import { loadModuleSource, loadParser } from '#vendored/compiler.js';

import {
  findRefused,
  isTooDeep,
  mayHavePower,
  mayHaveTagged,
  mayImport,
  mostLevels,
  rewriteModule,
  rewriteTemplates,
  suspicious,
  walk,
} from '../evaluation/index.js';
import { mayHaveTildot, transformTildot } from '../tildot.js';
import { canQueueJobs } from './can-queue-jobs.js';
import { analyseCommonJs, commonJsIndent, isWrapped, wrapCommonJs } from './commonjs.js';
import { findLongLine, findNamesProblem } from './compile-bounds.js';
import { findEarlyUses } from './early-uses.js';
import { withoutStringNames, withStringNames } from './string-names.js';
import { findUnawaited } from './unawaited.js';
import { findUnknownNames } from './unknown-names.js';
import { isImportCall, noImport, withoutImport } from './without-import.js';
import { findRefusedBinding } from './refused-bindings.js';
import { lineOf } from '#config';

/** @import { Node } from '../evaluation/syntax-tree.js' */
/** @import { EarlyUses } from './early-uses.js' */
/** @import { Unawaited } from './unawaited.js' */
/** @import { UnknownName } from './unknown-names.js' */

/**
 * @typedef {object} ModuleImport
 * @property {string} specifier  as the author wrote it
 * @property {string[]} names  `*` for a namespace
 * @property {number} line  of the declaration
 * @property {boolean} all  `export * from`
 */

/**
 * @typedef {object} CompiledModule
 * @property {ModuleImport[]} imports  one for each import or re-export declaration, in order
 * @property {string[]} exports  without those of `export * from`
 * @property {string[]} reexports  specifiers of `export * from`
 * @property {string} program
 * @property {Record<string, [string, boolean]>} liveExportMap
 * @property {Record<string, [string]>} fixedExportMap
 * @property {Record<string, [string, string][]>} reexportMap
 * @property {boolean} needsImportMeta
 * @property {boolean} canQueueJobs  see can-queue-jobs.js
 * @property {UnknownName[]} unknownNames  see unknown-names.js
 * @property {Unawaited[]} unawaited  see unawaited.js
 * @property {EarlyUses} early  see early-uses.js
 * @property {number[]} importCalls  lines with `import()`
 */

/**
 * @typedef {object} CompileOptions
 * @property {boolean} [isGuarded]  whether `**` and tagged templates are rewritten; false for a text that a vat evaluates
 *   itself
 * @property {boolean} [isCommonJs]
 */

/** Line and column are counted from 1. @typedef {{ line: number, column: number }} Place */

/** @type {{ ModuleSource: ReturnType<typeof loadModuleSource>, parse: ReturnType<typeof loadParser> } | undefined} */
let compiler;
const provideCompiler = () => {
  compiler ??= { ModuleSource: loadModuleSource(), parse: loadParser() };
  return compiler;
};

/** @param {Node} specifier  an import or export specifier */
const importedName = ({ type, imported, local }) => {
  if (type === 'ImportDefaultSpecifier') return 'default';
  if (type === 'ImportNamespaceSpecifier' || type === 'ExportNamespaceSpecifier') return '*';
  const named = imported ?? local;
  return named.name ?? named.value;
};

/**
 * @param {Node} program
 * @returns {ModuleImport[]}
 */
const collectImports = program =>
  program.body
    .filter((/** @type {Node} */ { source }) => source)
    .map((/** @type {Node} */ { type, source, specifiers, loc }) => ({
      specifier: source.value,
      names: (specifiers ?? []).map(importedName),
      line: loc.start.line,
      all: type === 'ExportAllDeclaration',
    }));

const literalTypes = new Set([
  'StringLiteral',
  'DirectiveLiteral',
  'RegExpLiteral',
  'TemplateElement',
]);

/** Escapes that keep the value of a string, a template or a regular expression. @type {Record<string, string>} */
const escaped = { '<!--': '<\\x21--', '-->': '-\\x2d>', import: 'im\\x70ort', eval: 'ev\\x61l' };
/** Replacements of equal length, so that columns stay. @type {Record<string, string>} */
const inComment = { '<!--': '<!==', '-->': '==>', import: 'lmport', eval: 'eva1' };
/** The operators, separated by spaces. @type {Record<string, string>} */
const inCode = { '<!--': '< ! --', '-->': '-- >' };

/**
 * Rewrite comments, literals and operators that SES would mistake for an HTML comment, an import expression or an eval.
 *
 * @param {string} text
 * @param {Node} file  its syntax tree
 * @param {(problem: string, line: number) => never} fail
 */
const disarm = (text, file, fail) => {
  const matches = [...text.matchAll(suspicious)];
  if (matches.length === 0) return text;
  /** @type {{ start: number, end: number, kind: 'comment' | 'literal' | 'raw' }[]} */
  const spans = file.comments.map((/** @type {Node} */ { start, end }) => ({
    start,
    end,
    kind: 'comment',
  }));
  walk(file.program, (node, parent) => {
    if (node.type === 'TaggedTemplateExpression') {
      // A tag such as String.raw sees the escapes.
      for (const { start, end } of node.quasi.quasis) spans.push({ start, end, kind: 'raw' });
    } else if (literalTypes.has(node.type) && parent?.type !== 'ImportDeclaration') {
      spans.push({ start: node.start, end: node.end, kind: 'literal' });
    }
  });
  // Spans do not overlap, but for the parts of a tagged template, of which the first span counts; sorting is stable.
  spans.sort((one, other) => one.start - other.start);
  let nearest = 0;
  let done = '';
  let at = 0;
  for (const { 0: found, index } of matches) {
    while (nearest < spans.length && spans[nearest].end <= index) nearest += 1;
    const span = spans[nearest]?.start <= index ? spans[nearest] : undefined;
    let replacement = found;
    if (span?.kind === 'comment') replacement = inComment[found];
    else if (span?.kind === 'literal') replacement = escaped[found];
    else if (span?.kind === 'raw') {
      fail(
        `a tagged template may not hold "${found}"; put that text into a string`,
        lineOf(text, index),
      );
    } else if (inCode[found]) replacement = inCode[found];
    done += text.slice(at, index) + replacement;
    at = index + found.length;
  }
  return done + text.slice(at);
};

/** Names of CommonJS. */
const commonJsNames =
  /^[^\S\n\r\u2028\u2029]*(?:module\.exports\b|exports\.\w+\s*=)|\brequire\s*\(\s*['"]/m;

/**
 * Refuse CommonJS in a file that is an ES module by its name or its package.
 *
 * @param {Node} program
 * @param {string} text
 * @param {(problem: string, line: number) => never} fail
 */
const refuseCommonJs = (program, text, fail) => {
  const isModule = program.body.some((/** @type {Node} */ { type }) =>
    /^(Import|Export)/.test(type),
  );
  const found = isModule ? null : commonJsNames.exec(text);
  if (found) {
    const start = found.index + found[0].search(/\S/);
    fail(
      'this is a CommonJS module in a file of ES modules; use "import" and "export", or call it ".cjs"',
      lineOf(text, start),
    );
  }
};

/**
 * @param {Node} program
 * @param {(problem: string, line: number) => never} fail
 */
const refuseWhatVatsLack = (program, fail) => {
  walk(program, node => {
    if (
      node.type === 'CallExpression' &&
      node.callee.type === 'Identifier' &&
      node.callee.name === 'eval'
    ) {
      fail('a vat has no direct eval; use "new Compartment().evaluate(text)"', node.loc.start.line);
    }
  });
};

/** @param {Node} program @returns {number[]} lines with `import()` */
const findImportCalls = program => {
  /** @type {number[]} */
  const lines = [];
  walk(program, node => {
    if (isImportCall(node)) lines.push(node.loc.start.line);
  });
  return lines;
};

/**
 * Rewrite `x~.m()`, which is not JavaScript, to an eventual send, as bundlers of 2020 did.
 *
 * @param {string} text
 * @param {(text: string, options: object) => unknown} parse
 * @returns {string}  the given text if it parses, or if it does not parse after the rewrite either
 */
const withoutTildot = (text, parse) => {
  if (!mayHaveTildot(text)) return text;
  try {
    parse(text, { sourceType: 'module' });
    return text;
  } catch {
    // If this is another error, the compiler reports it in the author's text.
  }
  try {
    return transformTildot(text);
  } catch {
    return text;
  }
};

/**
 * Refuse `await` outside of functions: a module of a vat is evaluated synchronously.
 *
 * @param {Node} program
 * @param {(problem: string, line: number) => never} fail
 */
const refuseAwaitOutsideFunctions = (program, fail) => {
  walk(program, ({ type, loc, await: isAwait }) => {
    if (/Function|Method/.test(type)) return false;
    if (type === 'AwaitExpression' || (type === 'ForOfStatement' && isAwait)) {
      fail(
        'a vat has no "await" outside of functions; move it into buildRootObject',
        loc.start.line,
      );
    }
    return true;
  });
};

/** Babel's message for syntax beyond JavaScript names plugins, which authors of vats cannot enable. */
const needsPlugin = /requires enabling one of the following parser plugin/;

/**
 * @param {string} message  Babel's, which ends in `(line:column)`
 * @param {() => boolean} isTyped  whether the text is TypeScript
 */
const describeSyntax = (message, isTyped) => {
  if (needsPlugin.test(message)) {
    return message.includes('"decorators"')
      ? 'decorators are not in the language yet; write it without'
      : 'this is JSX or TypeScript, and no JavaScript; call a file with types ".ts"';
  }
  if (message.includes('The `assert` keyword in import attributes'))
    return 'an import has its attributes behind "with": import it from "./it.json" with { type: "json" }';
  const problem = message.replace(/\s*\(\d+:\d+\)\s*$/, '');
  // As TypeScript a name may be there twice, as a type and as a value.
  const isTwice = problem.includes('already been');
  return !isTwice && isTyped()
    ? `${problem} The text is TypeScript; call a file with types ".ts"`
    : problem;
};

/**
 * @param {string} text
 * @param {string} shownFile  names the file in messages
 * @param {CompileOptions} [options]
 * @returns {Promise<CompiledModule>}  of a CommonJS module, `program` is an expression: a function
 * @throws {UserError} if the text is not a module, or uses syntax that vats may not have; with file and line
 */
export const compileModule = async (
  text,
  shownFile,
  { isGuarded = true, isCommonJs = false } = {},
) => {
  const { ModuleSource, parse } = provideCompiler();
  /** @type {(problem: string, line: number) => never} */
  const fail = (problem, line) => {
    throw new UserError(`${shownFile}:${line}: ${problem}`);
  };
  // A first line for the shell becomes a comment of equal length.
  const shown = text.startsWith('#!') ? `//${text.slice(2)}` : text;
  /** @returns {never} */
  const refuseDepth = () => {
    throw new UserError(
      `${shownFile}: the code is nested too deeply: it has more than ${mostLevels} levels`,
    );
  };
  /** @param {string} given @returns {Node} */
  const parseModule = given => {
    try {
      return parse(given, { sourceType: 'module' });
    } catch (error) {
      if (error instanceof RangeError) refuseDepth();
      const { message, loc } = /** @type {Error & { loc?: { line: number, column: number } }} */ (
        error
      );
      const indent = isCommonJs && loc?.line === 1 ? commonJsIndent : 0;
      const place = loc ? `:${loc.line}:${loc.column - indent + 1}` : '';
      const isTyped = () => {
        try {
          parse(given, { sourceType: 'module', plugins: ['typescript'] });
          return true;
        } catch {
          return false;
        }
      };
      throw new UserError(`${shownFile}${place}: ${describeSyntax(message, isTyped)}`);
    }
  };
  /** @param {string | undefined} excess */
  const insistWithin = excess => {
    if (excess !== undefined) throw new UserError(`${shownFile}: ${excess}`);
  };
  insistWithin(findLongLine(shown));
  const code = isCommonJs ? wrapCommonJs(shown) : withoutTildot(shown, parse);
  let file = parseModule(code);
  if (isTooDeep(file.program, code)) refuseDepth();
  insistWithin(findNamesProblem(file.program));
  const { text: plain, strings } = withoutStringNames(code, file.program);
  if (plain !== code) file = parseModule(plain);
  let source = plain;
  const written = file;
  if (isCommonJs && !isWrapped(file.program)) fail('the braces of this module do not match', 1);
  const refused = findRefused(file.program);
  if (refused) fail(refused.problem, lineOf(plain, refused.start));
  if (isGuarded && mayHavePower(plain)) {
    source = rewriteModule(plain, problem => fail(problem, 1));
    if (source !== plain) file = parseModule(source);
  }
  if (!isCommonJs) {
    refuseCommonJs(file.program, source, fail);
    const wrong = findRefusedBinding(written.program);
    if (wrong) fail(wrong.problem, lineOf(plain, wrong.start));
  }
  refuseWhatVatsLack(file.program, fail);
  refuseAwaitOutsideFunctions(file.program, fail);
  const called =
    isGuarded && mayHaveTagged(source) ? rewriteTemplates(source, file.program) : source;
  const safe = disarm(called, called === source ? file : parseModule(called), fail);
  const found = {
    canQueueJobs: canQueueJobs(file.program),
    unknownNames: findUnknownNames(written.program),
    unawaited: findUnawaited(written.program, plain),
    early: findEarlyUses(written.program),
    importCalls: findImportCalls(written.program),
  };
  if (isCommonJs) {
    for (const line of found.importCalls) fail(noImport, line);
    checkProgram(safe, shownFile);
    return { ...(await describeCommonJs(shown, shownFile)), program: safe, ...found };
  }
  /** @type {any} */
  let record;
  try {
    record = new ModuleSource(safe);
  } catch (error) {
    const { cause, message } = /** @type {Error} */ (error);
    const reason = cause instanceof Error ? cause.message : message;
    throw new UserError(`${shownFile}: ${reason.split('\n')[0]}`);
  }
  const program = withoutImport(record, shownFile);
  if (mayImport(program)) throw new UserError(`${shownFile}: a vat has no import()`);
  checkProgram(program, shownFile);
  const compiled = {
    imports: collectImports(file.program),
    exports: [...record.exports],
    reexports: [...record.reexports],
    program,
    liveExportMap: { ...record.__liveExportMap__ },
    fixedExportMap: { ...record.__fixedExportMap__ },
    reexportMap: { ...record.__reexportMap__ },
    needsImportMeta: record.__needsImportMeta__,
    ...found,
  };
  return withStringNames(compiled, strings);
};

/**
 * The links of a CommonJS module.
 *
 * @param {string} text
 * @param {string} shownFile
 */
const describeCommonJs = async (text, shownFile) => {
  try {
    const { requires, exports, reexports } = await analyseCommonJs(text, shownFile);
    const imports = requires.map(specifier => ({ specifier, names: [], line: 1, all: false }));
    const noMaps = { liveExportMap: {}, fixedExportMap: {}, reexportMap: {} };
    return { imports, exports, reexports, ...noMaps, needsImportMeta: false };
  } catch (error) {
    const [reason] = /** @type {Error} */ (error).message.split('\n');
    throw new UserError(`${shownFile}: ${reason}`);
  }
};

/**
 * Refuse syntax that Babel knows and this engine does not.
 *
 * @param {string} program
 * @param {string} shownFile
 */
const checkProgram = (program, shownFile) => {
  try {
    // Compiled, never run.
    void new Script(program, { filename: shownFile });
  } catch (error) {
    throw new UserError(`${shownFile}: ${/** @type {Error} */ (error).message}`);
  }
};
