// Random conversations of two of SwingSet's comms vats: `node real.js FIRST COUNT STEPS`, in a folder that has its packages installed.
// It prints a line of JSON with the lines of each, or why one ended.

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { converseBySeed } from '../../../packages/host/test/comms/conversation.js';
import { makeRandom } from '../../../packages/testkit/random.js';

/** @import { Delivery, Syscall } from '#model' */

const [first, count, steps] = process.argv.slice(2).map(Number);
const { resolve } = createRequire(join(process.cwd(), 'program.js'));
const load = (/** @type {string} */ file) => import(pathToFileURL(file).href);

await load(resolve('@endo/init/debug.js'));
const own = dirname(resolve('@agoric/swingset-vat'));
const { buildCommsDispatch } = await load(join(own, 'vats/comms/dispatch.js'));

const makeComms = () => {
  /** @type {Syscall[]} */
  const syscalls = [];
  /** @type {Map<string, string>} */
  const store = new Map();
  const note =
    (/** @type {string} */ kind) =>
    (/** @type {unknown[]} */ ...args) =>
      void syscalls.push(/** @type {any} */ ([kind, ...args]));
  const dispatch = buildCommsDispatch({
    send: (/** @type {string} */ target, /** @type {any} */ methargs, /** @type {any} */ result) =>
      void syscalls.push(['send', target, methargs, result ?? null]),
    ...Object.fromEntries(
      ['subscribe', 'resolve', 'dropImports', 'retireImports', 'retireExports'].map(kind => [
        kind,
        note(kind),
      ]),
    ),
    vatstoreGet: (/** @type {string} */ key) => store.get(key),
    vatstoreSet: (/** @type {string} */ key, /** @type {string} */ value) =>
      void store.set(key, value),
    vatstoreDelete: (/** @type {string} */ key) => void store.delete(key),
  });
  dispatch(['startVat', { body: '#{}', slots: [] }]);
  return (/** @type {Delivery} */ delivery) => {
    const [kind, ...args] = delivery;
    const [target, methargs, result] = args;
    dispatch(kind === 'message' ? [kind, target, { methargs, result }] : delivery);
    return syscalls.splice(0);
  };
};

// Its comms tells of each string that it refuses.
globalThis.console = { ...console, log: () => {} };
const conversations = Array.from({ length: count }, (_, i) => {
  try {
    return converseBySeed(makeComms, makeRandom, first + i, steps);
  } catch (error) {
    return String(/** @type {Error} */ (error).message);
  }
});
process.stdout.write(`${JSON.stringify({ conversations })}\n`, () => process.exit(0));
