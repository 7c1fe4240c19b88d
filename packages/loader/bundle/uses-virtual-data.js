// Finds out whether a vat uses virtual or durable data. Only for such vats their code is loaded and their state
// written, so it must be known before the vat runs. The source shows it: it names the global, the module or the
// argument.

/** @import { Bundle } from '#config/bundle-format.js' */

const names = /\bVatData\b|vat-data|baggage/i;

/** The parameters of `buildRootObject`, in each form of its definition. */
const root =
  /\bbuildRootObject\s*(?:=\s*(?:async\s*)?(?:function\b[^(=]*)?)?\(((?:[^()]|\([^()]*\))*)\)/g;

/** Brackets with their contents: commas in them do not separate parameters. */
const nested = /\{[^{}]*\}|\[[^[\]]*\]|\([^()]*\)/g;

const deepest = 4;

/** @param {string} source */
const takesThird = source => {
  for (const [, parameters] of source.matchAll(root)) {
    let flat = parameters;
    for (let i = 0; i < deepest; i += 1) flat = flat.replace(nested, '');
    if (flat.replace(/,\s*$/, '').split(',').length > 2) return true;
  }
  return false;
};

/** @param {Bundle} bundle */
export const usesVirtualData = ({ modules, foreign }) =>
  // A packed bundle cannot be searched.
  foreign !== undefined
    ? !/\s/.test(foreign.source) || names.test(foreign.source)
    : Object.values(modules).some(({ source }) => names.test(source) || takesThird(source));
