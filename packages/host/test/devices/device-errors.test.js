// Errors of devices, as a vat of 2020 gets them.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';

const device = `
class Unknown extends Error {}
const trap = () => { throw Error('a trap'); };
const hidden = new Proxy(Error('x'), { getOwnPropertyDescriptor: trap, getPrototypeOf: trap });
export const buildRootDeviceNode = () => harden({
  known() { throw RangeError('too many'); },
  unknown() { throw new Unknown('of its own class'); },
  text() { throw 'a text'; },
  hidden() { throw hidden; },
});`;

const vat = `
export const buildRootObject = ({ D, testLog }) => harden({
  bootstrap(vats, devices) {
    for (const method of ['known', 'unknown', 'text', 'hidden'])
      try {
        D(devices.it)[method]();
      } catch (error) {
        testLog(method + ' ' + error.name + ': ' + error.message);
      }
  },
});`;

test('2020-09: an error of a class that a device has made keeps its message', async t => {
  const folder = temporaryDirectory(t);
  writeFileSync(join(folder, 'bootstrap.js'), vat);
  writeFileSync(join(folder, 'device-it.js'), device);
  const config = {
    bootstrap: 'bootstrap',
    vats: { bootstrap: { sourceSpec: 'bootstrap.js' } },
    devices: { it: { sourceSpec: 'device-it.js' } },
  };
  const configFile = join(folder, 'swingset.json');
  writeFileSync(configFile, JSON.stringify(config));
  /** @type {string[]} */
  const lines = [];
  const simulation = await makeSimulation(loadConfig({ configFile }), {
    store: makeMemoryStore(),
    profile: '2020-09',
    observer: { onTestLog: (_vat, text) => void lines.push(text) },
  });
  await simulation.run();
  t.deepEqual(lines.slice(0, 3), [
    'known RangeError: too many',
    'unknown Error: of its own class',
    'text Error: a text',
  ]);
  t.is(lines.length, 4, 'a trap of what is thrown does not get out');
  await simulation.close();
});
