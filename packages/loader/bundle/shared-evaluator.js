// Evaluates the modules of a vat in the evaluator of its compartment. SES makes an evaluator for each module, which takes
// longer than evaluating a usual one: it looks at each global. What a module sees of the evaluator is the object for its
// live bindings. So modules have one of their own if they have such bindings, or if they may see that the shared object,
// unlike SES's for modules, inherits from `Object.prototype`.

/** @import { CompiledModule } from './compile-module.js' */

const names = Object.getOwnPropertyNames(Object.prototype);

/**
 * A name of `Object.prototype` that stands alone, not behind a dot: `valueOf()` shows the object. A method may be called
 * `constructor`, since `Object` called so shows nothing. A name may be written with escapes. The name comes first, since
 * the engine finds it faster than what is before it.
 */
const inheritedName = new RegExp(
  String.raw`\b(${names.join('|')})\b(?<!(?:^|[^.])\.\1)(?<!\bconstructor(?=\())|\\u`,
);

/** @param {CompiledModule} compiled */
const mayShare = ({ liveExportMap, program }) =>
  Object.values(liveExportMap).every(([, isAssigned]) => !isAssigned) &&
  !inheritedName.test(program);

/**
 * Facts about modules that were imported before. They follow from their programs alone.
 *
 * @type {WeakMap<CompiledModule, { isSharing: boolean, isAccepted: boolean }>}
 */
const known = new WeakMap();

/** @param {CompiledModule} compiled */
const provideKnown = compiled => {
  let facts = known.get(compiled);
  if (facts === undefined) {
    facts = { isSharing: mayShare(compiled), isAccepted: false };
    known.set(compiled, facts);
  }
  return facts;
};

/** SES searches a text for a direct `eval` only if this is not false. */
const searched = { __rejectSomeDirectEvalExpressions__: false };

/**
 * The evaluator of a vat's modules.
 *
 * @param {() => Compartment} findCompartment  of the vat; called when a module is linked
 */
export const makeModuleEvaluator = findCompartment => {
  /** The text under evaluation. No code of the vat runs meanwhile: it is a function's text. @type {string | undefined} */
  let text;
  return {
    /**
     * Whether a text to evaluate is a module's, which was checked when it was compiled.
     *
     * @param {string} given
     */
    isOwn: given => given === text,

    /**
     * @param {CompiledModule} compiled
     * @param {string} program  of the module, with its URL
     * @returns {unknown} the function for SES to call; undefined if it is to evaluate the program itself
     * @throws {SyntaxError} if SES refuses the text
     */
    evaluate(compiled, program) {
      const facts = provideKnown(compiled);
      if (!facts.isSharing) return undefined;
      text = program;
      try {
        const made = findCompartment().evaluate(
          program,
          /** @type {any} */ (facts.isAccepted ? searched : {}),
        );
        facts.isAccepted = true;
        return made;
      } finally {
        text = undefined;
      }
    },
  };
};
