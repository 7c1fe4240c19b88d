// A config of a host program may relax what durable data holds.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { initializeSwingset, makeSwingsetController } from '../index.js';
import { initSwingStore } from '../swing-store.js';

const source = `import { Far } from '@endo/far';
export const buildRootObject = (powers, parameters, baggage) =>
  Far('root', { bootstrap: () => baggage.init('x', Far('x', {})) });
`;

for (const relaxDurabilityRules of [true, false, undefined]) {
  const what = relaxDurabilityRules ? 'holds' : 'refuses';
  test(`with relaxDurabilityRules ${relaxDurabilityRules} durable data ${what} what is not durable`, async t => {
    const sourceSpec = join(temporaryDirectory(t, 'relaxed'), 'bootstrap.js');
    writeFileSync(sourceSpec, source);
    const { kernelStorage } = initSwingStore();
    const config = {
      bootstrap: 'bootstrap',
      defaultReapInterval: /** @type {const} */ ('never'),
      vats: { bootstrap: { sourceSpec } },
      relaxDurabilityRules,
    };
    const result = await initializeSwingset(config, [], kernelStorage);
    const controller = await makeSwingsetController(kernelStorage);
    if (relaxDurabilityRules) {
      await controller.run();
      t.is(controller.kpStatus(String(result)), 'fulfilled');
    } else {
      await t.throwsAsync(async () => controller.run(), { message: /value is not durable/ });
    }
    await controller.shutdown();
  });
}
