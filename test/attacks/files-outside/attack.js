/** @type {import('../harness/attack-types.js').Attack} */
export default {
  refused:
    /vat-mallory\.js:4: cannot import "\.\.\/\.\.\/\.\.\/package\.json": it leads to .*, outside of the vat's directory .*"sourceRoots"/,
};
