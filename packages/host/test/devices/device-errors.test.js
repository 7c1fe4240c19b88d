// Errors of devices, and of calls that reach none, as vats of 2020 and of today get them.

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

const symbols = `
import { Far } from '@endo/far';
export const buildRootObject = ({ D, testLog }) => Far('root', {
  bootstrap(vats, devices) {
    const attempts = {
      symbol: () => D(devices.it)[Symbol.for('known')](),
      text: () => String(D(devices.it)),
      string: () => D(devices.it).toString(),
    };
    for (const [label, attempt] of Object.entries(attempts))
      try {
        testLog(label + ' = ' + attempt());
      } catch (error) {
        testLog(label + ' ' + error.name + ': ' + error.message);
      }
  },
});`;

const told = `
import { Far } from '@endo/far';
export const buildRootDeviceNode = () => Far('it', { toString: () => 'asked', known: () => 'known' });`;

/** @param {any} t @param {[string, string]} sources  of the vat and the device @param {'2020-09' | 'current'} profile */
const run = async (t, [vatSource, deviceSource], profile) => {
  const folder = temporaryDirectory(t);
  writeFileSync(join(folder, 'bootstrap.js'), vatSource);
  writeFileSync(join(folder, 'device-it.js'), deviceSource);
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
    profile,
    observer: { onTestLog: (_vat, text) => void lines.push(text) },
  });
  await simulation.run();
  await simulation.close();
  return lines;
};

test('a method that is named by a symbol is refused, and reaches no device', async t => {
  t.deepEqual(await run(t, [symbols, told], 'current'), [
    'symbol TypeError: (a symbol) must be a string',
    'text TypeError: (a symbol) must be a string',
    'string = asked',
  ]);
});

test('2020-09: an error of a class that a device has made keeps its message', async t => {
  const lines = await run(t, [vat, device], '2020-09');
  t.deepEqual(lines.slice(0, 3), [
    'known RangeError: too many',
    'unknown Error: of its own class',
    'text Error: a text',
  ]);
  t.is(lines.length, 4, 'a trap of what is thrown does not get out');
});
