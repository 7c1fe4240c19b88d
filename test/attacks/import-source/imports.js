const phases = [
  'import.source',
  'import.defer',
  'import . source',
  'import\n.\ndefer',
  'import/**/./**/source',
  'import',
  'im\\u0070ort',
  'import.meta.resolve',
  'import\u2028.source',
  'import// x\n.source',
];

const evaluators = [
  text => (0, eval)(`(u => ${text}(u))`),
  text => new Function('u', `return ${text}(u)`),
  text => (0, Object.getPrototypeOf(async () => {}).constructor)('u', `return ${text}(u)`),
  text => Object.getPrototypeOf(function* () {}).constructor('u', `return ${text}(u)`),
  text => new Compartment().evaluate(`(u => ${text}(u))`),
  text => new Compartment().evaluate(`(0, eval)(${JSON.stringify(`(u => ${text}(u))`)})`),
  text => new Compartment().globalThis.Function('u', `return ${text}(u)`),
  text => new new Compartment().globalThis.Compartment().evaluate(`(u => ${text}(u))`),
  text => new Function(`u = ${text}('node:fs')`, 'return u'),
  text => (0, eval)(`\`\${${text}('node:fs')}\``),
  text => (0, eval)(`(class { static { this.got = ${text}('node:fs'); } }).got`),
  text =>
    new Compartment().evaluate(`(u => ${text}(u))`, {
      __evadeImportExpressionTest__: true,
      __evadeHtmlCommentTest__: true,
      __rejectSomeDirectEvalExpressions__: false,
    }),
  text => {
    const inner = new Compartment({ __options__: true, transforms: [() => `(u => ${text}(u))`] });
    return inner.evaluate('1');
  },
];

const specifiers = [
  'data:application/wasm;base64,AGFzbQEAAAA=',
  'node:fs',
  'file:///',
  './host.js',
  'lmdb',
];

/** Tries all of them, and notes the functions that were made, and what they return or are rejected with. */
export const tryAll = async note => {
  for (const phase of phases) {
    for (const evaluator of evaluators) {
      let load;
      try {
        load = evaluator(phase);
      } catch {
        continue;
      }
      if (typeof load !== 'function') {
        note(`${phase} evaluates`, load);
        continue;
      }
      for (const specifier of specifiers) {
        try {
          const loading = load(specifier);
          const loaded = await (loading?.next ? loading.next().value : loading);
          note(`${phase} loads ${specifier}`, loaded);
        } catch (error) {
          if (error.code !== undefined) note(`${phase} asks the loader for ${specifier}`, error);
          else note(undefined, error);
        }
      }
    }
  }
};
