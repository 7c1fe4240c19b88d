// Finds out whether a vat uses virtual or durable data. Their code is loaded, and their state written, only for such vats, so this
// must be known before the vat runs: by its source, which names the global, the module or the argument by which it has them.

/** @import { Bundle } from '#config/bundle-format.js' */

const names = /\bVatData\b|vat-data|baggage/i;

/** The parameters of `buildRootObject`, in each way to write it. */
const root =
  /\bbuildRootObject\s*(?:=\s*(?:async\s*)?(?:function\b[^(]*)?)?\(((?:[^()]|\([^()]*\))*)\)/g;

/** Brackets with their contents: commas in them part no parameters. */
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
  // A packed bundle cannot be looked into.
  foreign !== undefined
    ? !/\s/.test(foreign.source) || names.test(foreign.source)
    : Object.values(modules).some(({ source }) => names.test(source) || takesThird(source));
