// A vat has no `import()`: what it loads is fixed when it is bundled. Libraries have such calls for rare cases, so a module may
// have them; each gives a promise that is rejected, as SwingSet's do with modules that a bundle lacks.

import { UserError } from '#model';

/** @import { Node } from '../evaluation/syntax-tree.js' */

/** @param {Node} node */
export const isImportCall = node =>
  node.type === 'ImportExpression' || node.callee?.type === 'Import';

export const noImport = 'a vat has no import(); import the module at the top of the file';

/** As a literal in which SES sees no import expression. */
const literal = JSON.stringify(noImport).replace('import(', 'import\\u0028');

/** The parameter of a compiled module that stands for `import`. The system's loader passes nothing. */
const parameter = /^\(\{imports:[^,{}()]+,liveVar:[^,{}()]+,onceVar:[^,{}()]+,import:[^,{}()]+/;

/**
 * @param {{ __syncModuleProgram__: string, __needsImport__?: boolean }} record  of `@endo/module-source`
 * @param {string} shown  names the module in messages
 * @returns {string} its program
 */
export const withoutImport = (
  { __syncModuleProgram__: program, __needsImport__: isNeeded },
  shown,
) => {
  if (isNeeded !== true) return program;
  if (!parameter.test(program)) throw new UserError(`${shown}: ${noImport}`);
  return program.replace(parameter, found => `${found}=()=>Promise.reject(TypeError(${literal}))`);
};
