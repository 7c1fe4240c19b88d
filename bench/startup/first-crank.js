// Loaded into the runner before anything else; reports the start of the first crank. It hooks the
// class that runs cranks, whose module the runner would load anyway: from its sources, or from the
// pack, as a script.

import { writeFileSync } from 'node:fs';
import process from 'node:process';
import vm from 'node:vm';

const name = 'packages/kernel/crank/runner.js';

/** @param {typeof import('../../packages/kernel/crank/runner.js').CrankRunner} CrankRunner */
const hook = CrankRunner => {
  const { pump } = CrankRunner.prototype;
  CrankRunner.prototype.pump = function pumpFirst(...args) {
    CrankRunner.prototype.pump = pump;
    const atMs = performance.timeOrigin + performance.now();
    process.once('exit', () => {
      writeFileSync(/** @type {string} */ (process.env.BENCH_FIRST_CRANK), String(atMs));
    });
    return pump.apply(this, args);
  };
};

if (process.env.SWINGSET_RUNNER_SOURCES) {
  const { CrankRunner } = await import('../../packages/kernel/crank/runner.js');
  hook(CrankRunner);
} else {
  const { Script } = vm;
  vm.Script = class extends Script {
    #isRunner;

    /** @param {ConstructorParameters<typeof Script>} given */
    constructor(...given) {
      super(...given);
      const options = given[1];
      this.#isRunner = typeof options === 'object' && options.filename?.endsWith(name);
    }

    runInThisContext() {
      const make = super.runInThisContext();
      if (!this.#isRunner) return make;
      return (/** @type {any} */ own, /** @type {unknown} */ imports) => {
        /** @type {any} */
        let declared;
        const declare = (/** @type {any} */ exports, /** @type {unknown} */ whole) => {
          declared = exports;
          own.declare(exports, whole);
        };
        make({ ...own, declare }, imports);
        hook(declared.CrankRunner);
      };
    }
  };
}
