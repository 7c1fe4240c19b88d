// The kernel drops a vat's transport when the vat ends, and when it runs elsewhere.

import test from 'ava';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { makeKernel } from '#kernel';
import { TagLog } from '#model';
import { message, sha256 } from '#testkit';
import { makeMemoryStore } from '#store';

/** @typedef {import('#kernel').Transport} Transport */

const shape = {
  inputs: [],
  outputs: [],
  actions: [],
  dependencies: [],
  mayRequestStop: false,
  hasRoot: true,
};

/**
 * A vat with reactors, that reacts each microsecond.
 *
 * @param {number} cranks  number of cranks after which it fails
 * @param {() => void} [onReact]
 * @returns {Transport}
 */
const makeReacting = (cranks, onReact = () => {}) => {
  /** @type {string} */
  let kind;
  let count = 0;
  return {
    begin([what]) {
      kind = what;
      onReact();
    },
    finish() {
      count += 1;
      const isReact = kind === 'react';
      return {
        fault: count > cranks ? 'enough' : null,
        syscalls: [],
        answers: [],
        reactors: {
          quiet: new TagLog(1),
          isLoud: isReact,
          timeNs: isReact ? now : 0,
          microstep: 0,
          stage: 0,
          nextTimeNs: (now = isReact ? now + 1000 : 1000),
          nextMicrostep: 0,
          nextStage: 0,
          quietCounts: [0, 0, 0, 0, 0],
          counts: [0, 0, 0, 0, 0],
          shape: kind === 'startVat' ? shape : null,
        },
      };
    },
    close() {},
  };
};

let now = 0;

/** @type {Transport} */
const silent = {
  begin: () => {},
  finish: () => ({ fault: null, syscalls: [], answers: [] }),
  close: () => {},
};

const start = () => {
  now = 0;
  const kernel = makeKernel('current', {
    store: makeMemoryStore(),
    sha256,
    onVatFault: () => {},
  });
  const vat = { source: '', parameters: '#{}', pipelining: false, options: {} };
  kernel.initialise({
    vats: [
      { ...vat, name: 'boot', isBuiltIn: true },
      { ...vat, name: 'r', isBuiltIn: false },
    ],
    devices: [],
    bootstrap: 'boot',
  });
  kernel.attachVat('v1', silent);
  return kernel;
};

test.serial('a vat with reactors that is attached again reacts on its new transport', t => {
  const kernel = start();
  let before = 0;
  let after = 0;
  const first = makeReacting(100, () => {
    before += 1;
  });
  kernel.attachVat('v2', first);
  kernel.pump(8);
  const were = before;
  t.true(were > 2);
  kernel.attachVat('v2', {
    ...first,
    begin: (...args) => {
      before -= 1;
      after += 1;
      first.begin(...args);
    },
  });
  kernel.pump(4);
  t.is(after, 4);
  t.is(before, were);
});

test.serial("the transport of a vat with reactors is collected after the vat's end", async t => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  const kernel = start();
  const ref = (() => {
    const transport = makeReacting(5);
    kernel.attachVat('v2', transport);
    return new WeakRef(transport);
  })();
  for (let i = 0; i < 30; i += 1) {
    kernel.pump(1);
    kernel.commit();
  }
  kernel.queueToVatRoot('v1', message('go'));
  kernel.pump(10);
  t.is(kernel.vat('v2').state, 'ended');
  for (let i = 0; i < 3; i += 1) {
    await new Promise(resolve => {
      setImmediate(resolve);
    });
    gc();
  }
  t.is(ref.deref(), undefined);
});
