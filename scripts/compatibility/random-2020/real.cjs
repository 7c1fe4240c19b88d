// Random programs in the kernel of 2020-09-30, as text for `node -r esm -e` in its checkout's packages/swingset-runner:
// reads FILE, a list of programs with the folder of their actor, and prints a line of JSON for each.
/* eslint-disable */
// @ts-nocheck
const [file] = process.argv.slice(-1);
const { readFileSync } = require('fs');
require('@agoric/install-ses');
const bundleSource = require('@agoric/bundle-source').default;
const swingset = require('@agoric/swingset-vat');
const { buildKernelBundles } = require('@agoric/swingset-vat/src/initializeSwingset');
const { initSwingStore } = require('@agoric/swing-store-simple');

// Vats listen to no promise's rejection in some of these programs.
process.on('unhandledRejection', () => {});

// The kernel's console takes these functions when it is first used.
let printed = [];
const tell = console.log;
for (const level of ['log', 'info', 'warn', 'error', 'debug'])
  console[level] = (...args) => printed.push(args.map(String).join(' '));

const main = async () => {
  const { actor, programs, mostCranks } = JSON.parse(readFileSync(file, 'utf8'));
  const kernelBundles = await buildKernelBundles();
  const bundle = await bundleSource(actor);
  for (const { seed, actors, rounds } of programs) {
    printed = [];
    const cranks = [];
    const result = { seed };
    try {
      const config = { bootstrap: 'bootstrap', bundles: { actor: { bundle } }, vats: {} };
      for (const each of actors)
        config.vats[each.name] = { bundle, parameters: { actor: JSON.stringify(each) } };
      const { storage } = initSwingStore();
      await swingset.initializeSwingset(config, [], storage, { kernelBundles });
      const controller = await swingset.makeSwingsetController(storage, {}, {});
      let count = 0;
      const run = async () => {
        while (await controller.step()) {
          count += 1;
          if (count > mostCranks) throw Error('it does not end');
        }
        cranks.push(count);
      };
      await run();
      for (let i = 0; i < rounds; i += 1) {
        const args = { body: '[]', slots: [] };
        controller.queueToVatExport('bootstrap', 'o+0', 'runBenchmarkRound', args, 'ignore');
        await run();
      }
      Object.assign(result, { cranks, counters: controller.getStats() });
    } catch (error) {
      result.problem = String(error && error.message);
    }
    result.lines = printed;
    tell(JSON.stringify(result));
  }
};
main().then(
  () => process.exit(0),
  error => {
    process.stderr.write(`${error && error.stack}\n`);
    process.exit(1);
  },
);
