// The linter's rules of the house: how long a class may be, and that who goes beyond a length says why.

/** Rules about lengths, which may be turned off at a place for a reason. */
const lengths = ['max-lines', 'max-lines-per-function', 'house/max-class-lines'];

/**
 * @param {any} sourceCode
 * @returns {Set<number>} numbers of the lines that have more than comments
 */
const linesOfCode = sourceCode =>
  new Set(
    sourceCode.ast.tokens.flatMap((/** @type {any} */ { loc: { start, end } }) =>
      Array.from({ length: end.line - start.line + 1 }, (_, i) => start.line + i),
    ),
  );

/** Lines of a class body, without comments and empty lines. @type {import('eslint').Rule.RuleModule} */
const maxClassLines = {
  meta: { type: 'suggestion', schema: [{ type: 'integer' }] },
  create: (/** @type {any} */ context) => {
    const [most] = context.options;
    const code = linesOfCode(context.sourceCode);
    return {
      ClassBody(/** @type {any} */ node) {
        const { start, end } = node.loc;
        const count = [...code].filter(line => line > start.line && line < end.line).length;
        if (count <= most) return;
        const name = node.parent.id?.name ?? 'a class without a name';
        context.report({
          node: node.parent,
          message: `${name} has ${count} lines of code; ${most} are the most, or it says why: // eslint-disable-next-line house/max-class-lines -- REASON`,
        });
      },
    };
  },
};

/** A comment that turns a rule about lengths off has a reason behind ` -- `. @type {import('eslint').Rule.RuleModule} */
const reasonForLength = {
  meta: { type: 'suggestion', schema: [] },
  create: (/** @type {any} */ context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        const [head, reason = ''] = comment.value.split(' -- ');
        const isAboutLength =
          head.includes('eslint-disable') && lengths.some(rule => head.includes(rule));
        if (isAboutLength && reason.trim().length < 20)
          context.report({
            loc: comment.loc,
            message: `a rule about lengths is turned off without a reason; write it behind " -- "`,
          });
      }
    },
  }),
};

/** @type {import('eslint').ESLint.Plugin} */
export const houseRules = {
  rules: { 'max-class-lines': maxClassLines, 'reason-for-length': reasonForLength },
};
