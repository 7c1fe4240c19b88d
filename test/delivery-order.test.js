// The order in which messages and notifies are delivered is SwingSet's: what its kernel 0.33.0 did is written down here.

import test from 'ava';

import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { methodNameOf } from '#kernel';
import { programDirectory } from './compare/load.js';

/** @param {string} program @returns {Promise<string[]>} vat and method, or vat alone for a notify */
const orderOf = async program => {
  /** @type {string[]} */
  const order = [];
  /** @type {Map<string, string>} */
  const names = new Map();
  const simulation = await makeSimulation(loadConfig({ baseDir: programDirectory(program) }), {
    store: makeMemoryStore(),
    onKernel: kernel => {
      for (const { vatId, name } of kernel.vats()) names.set(vatId, name);
    },
    crankObserver: {
      delivered: ({ vatId, plan }) => {
        const delivery = plan?.kernelDelivery;
        if (delivery?.[0] === 'message')
          order.push(`${names.get(vatId)}.${methodNameOf(delivery[2])}`);
        if (delivery?.[0] === 'notify') order.push(`${names.get(vatId)}`);
      },
    },
  });
  await simulation.run();
  await simulation.close();
  return order;
};

test('subscribers are notified with bootstrap first, in messages to a promise that is rejected', async t => {
  t.deepEqual(await orderOf('send-to-rejected'), [
    ...['bootstrap.bootstrap', 'bob.getThing', 'bob.take', 'bob.rejectIt'],
    ...['bootstrap', 'bootstrap', 'bootstrap', 'bob'],
    ...['bootstrap', 'bootstrap', 'bootstrap', 'bob.notCallable', 'bootstrap', 'bootstrap'],
  ]);
});
