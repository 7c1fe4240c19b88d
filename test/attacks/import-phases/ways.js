const globalOf = Object.getOwnPropertyDescriptor(Compartment.prototype, 'globalThis').get;

const importOf = text => {
  const compartment = new Compartment({
    __options__: true,
    modules: {
      main: {
        source: {
          imports: [],
          exports: ['ask'],
          __syncModuleProgram__: `({ onceVar }) => { onceVar.ask(${text}); }`,
          __fixedExportMap__: { ask: ['ask'] },
          __liveExportMap__: {},
        },
      },
    },
  });
  return compartment.importNow('main').ask;
};

/** The class of the engine's compartments, as a setter of the global object's prototype would see it. */
const leakBySetter = () => {
  let found;
  const globals = { x: 1 };
  Object.defineProperty(globals, '__proto__', {
    enumerable: true,
    value: {
      set x(_) {
        found = this.Compartment;
      },
    },
  });
  new Compartment({ __options__: true, globals });
  new Compartment(globals);
  return found;
};

const leakByFakeGlobal = () => {
  class Fake extends Compartment {
    get globalThis() {
      return {};
    }
  }
  return globalOf.call(new Fake()).Compartment;
};

const leakByOwnClass = () => {
  const globals = { Compartment: class {} };
  return globalOf.call(new Compartment(globals)).Compartment;
};

const leakByExecute = text => {
  let found;
  const source = {
    imports: [],
    exports: [],
    execute(_, compartment) {
      found = compartment.evaluate(text, { __moduleShimLexicals__: {} });
    },
  };
  new Compartment({ __options__: true, modules: { main: { source } } }).importNow('main');
  return found;
};

/** Ways to ask for a module, in spellings of which the engine may know some. */
const spellings = phase => {
  const head = 'im' + 'port';
  return [
    `u => ${head}.${phase}(u)`,
    `u => ${head} . ${phase} (u)`,
    `u => ${head}\n.\u2028${phase}\t(u)`,
    `u => ${head}./* */${phase}(u)`,
    `u => ${head}.${phase}// \n(u)`,
    `u => ${head}.\\u${phase.charCodeAt(0).toString(16).padStart(4, '0')}${phase.slice(1)}(u)`,
    `u => [...${head}.${phase}(u)]`,
    `u => \`\${${head}.${phase}(u)}\``,
  ];
};

/** By name, what makes a function of its text. */
export const ways = () => {
  const made = new Map();
  for (const phase of ['source', 'defer']) {
    const texts = spellings(phase);
    for (const [at, text] of texts.entries())
      made.set(`eval ${phase} ${at}`, () => (0, eval)(text));
    const [text] = texts;
    const marked = text.replace('import', 'IM');
    const unmark = source => source.replace('IM', 'im' + 'port');
    const later = { toString: () => text };
    made.set(`Function ${phase}`, () => Function(`return ${text}`)());
    made.set(`evaluate ${phase}`, () => new Compartment().evaluate(text));
    made.set(`lexicals ${phase}`, () =>
      new Compartment().evaluate(text, { __moduleShimLexicals__: {}, sloppyGlobalsMode: true }),
    );
    made.set(`transform ${phase}`, () =>
      new Compartment({}, {}, { transforms: [unmark], __shimTransforms__: [unmark] }).evaluate(
        marked,
        { transforms: [unmark], __evadeImportExpressionTest__: true },
      ),
    );
    made.set(`object ${phase}`, () =>
      new Compartment({}, {}, { transforms: [() => later] }).evaluate(marked),
    );
    made.set(`inner ${phase}`, () =>
      new Compartment({ text }).evaluate('new Compartment({ text }).evaluate("0, eval")(text)'),
    );
    made.set(`module ${phase}`, () => importOf(text));
    made.set(`execute ${phase}`, () => leakByExecute(text));
    made.set(`leaks ${phase}`, () => {
      const classes = [leakBySetter(), leakByFakeGlobal(), leakByOwnClass(), Compartment];
      for (const Each of classes) {
        if (typeof Each === 'function') new Each().evaluate(text, { __moduleShimLexicals__: {} });
      }
      return new Compartment.prototype.constructor().evaluate(text);
    });
  }
  return made;
};

/** The functions that `ways` make, by name; a way that is refused makes none. */
export const asks = () => {
  const made = new Map();
  for (const [name, make] of ways()) {
    try {
      const ask = make();
      if (typeof ask === 'function') made.set(name, ask);
    } catch {
      // Refused.
    }
  }
  return made;
};
