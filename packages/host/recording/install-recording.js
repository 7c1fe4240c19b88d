// Makes the initial state of a recorded run, from the recorded bundles or from present sources.

import { readFirstThresholds, readVatBeginning } from '#kernel';
import { quote, UserError } from '#model';
import { BundleShelf } from '../vats/bundle-shelf.js';
import { readDeviceRecord, writeDeviceRecord } from '../state/device-records.js';
import { readProgram } from '../state/new-state.js';
import { readWhole } from '../state/read-whole.js';
import { bundleCode } from '../vats/vats.js';

/** @import { Kernel } from '#kernel' */
/** @import { LoadedConfig } from '#config/load-config.js' */
/** @import { CodeSource } from '#config/read-config.js' */
/** @import { NewState, Program } from '../state/new-state.js' */
/** @import { VatSource } from '../vats/vats.js' */

const advice = 'replay a whole copy of the database';

const bundleNamePrefix = 'host.bundleName.';

/**
 * @param {Kernel} recorded
 * @returns {[name: string, id: string][]} bundles of the config
 */
const readBundleNames = recorded =>
  [...recorded.state.hostValues.all()]
    .filter(([key]) => key.startsWith(bundleNamePrefix))
    .map(([key, id]) => [key.slice(bundleNamePrefix.length), id]);

/**
 * @param {'vat' | 'device' | 'bundle'} what
 * @param {string} name
 * @param {LoadedConfig} config
 * @returns {CodeSource}
 */
const findCode = (what, name, config) => {
  const table = { vat: config.vats, device: config.devices, bundle: config.bundles }[what];
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (entry !== undefined && !('builtIn' in entry && entry.builtIn !== undefined)) return entry;
  const names = Object.keys(table).map(quote).join(', ');
  throw new UserError(
    `the recording is of another program than ${config.baseDir}: it has a ${what} ${quote(name)}, and ${names === '' ? `there is no ${what} there` : `there the ${what}s are ${names}`}; name the directory of what was recorded`,
  );
};

/**
 * @param {Kernel} recorded
 * @param {LoadedConfig} config
 */
const insistNoMoreVats = (recorded, config) => {
  const names = new Set(recorded.vats().flatMap(({ name, isStatic }) => (isStatic ? [name] : [])));
  for (const name of Object.keys(config.vats)) {
    if (!names.has(name))
      throw new UserError(
        `the recording is of another program than ${config.baseDir}: it has no vat ${quote(name)}; name the directory of what was recorded`,
      );
  }
};

/**
 * @param {Kernel} recorded
 * @param {LoadedConfig | undefined} config  of sources that replace the recorded ones
 * @param {(what: string) => void} onChanged  called for each part with another source: `vat "alice"`
 * @returns {(state: NewState) => Promise<Program>}
 */
export const makeInstaller = (recorded, config, onChanged) => async state => {
  const { kernel, shelf, cacheDir } = state;
  if (config !== undefined) insistNoMoreVats(recorded, config);
  const recordedShelf = new BundleShelf(recorded, cacheDir);

  /**
   * @param {'vat' | 'device' | 'bundle'} what
   * @param {string} name
   * @param {string} id  of the recorded bundle
   * @returns {Promise<string>} id of the installed bundle
   */
  const install = async (what, name, id) => {
    const subject = `${what} ${quote(name)}`;
    if (config !== undefined) {
      const code = findCode(what, name, config);
      const installed = shelf.install(await bundleCode(subject, code, config, cacheDir));
      if (installed !== id) onChanged(subject);
      return installed;
    }
    /** @type {VatSource | undefined} */
    const found = recordedShelf.find(id);
    if (found === undefined)
      throw new UserError(`the recording lacks the source of ${subject}, bundle ${id}; ${advice}`, {
        exitCode: 1,
      });
    return shelf.install(found);
  };

  /** @type {Program['vats']} */
  const vats = [];
  for (const vat of recorded.vats()) {
    if (!vat.isStatic) continue;
    const { name, isBuiltIn, pipelining } = vat;
    const { source, parameters, options } = readVatBeginning(recorded.state, vat);
    vats.push({
      ...{ name, isBuiltIn, parameters, pipelining, options },
      source: isBuiltIn ? source : await install('vat', name, source),
    });
  }
  for (const [name, id] of readBundleNames(recorded))
    shelf.setName(name, await install('bundle', name, id));
  const devices = recorded.devices().map(({ name }) => name);
  for (const name of devices) {
    const record = { ...readDeviceRecord(recorded, name) };
    if (record.source !== undefined) record.source = await install('device', name, record.source);
    writeDeviceRecord(kernel, name, record);
  }
  const { interval: reapInterval, gcKrefs: reapGCKrefs } = readFirstThresholds(recorded.state);
  const program = readWhole('the recording is', () => readProgram(recorded), advice);
  const { bootstrap } = program;
  if (bootstrap !== '' && !vats.some(({ name }) => name === bootstrap))
    throw new UserError(
      `the recording is damaged: its bootstrap vat ${quote(bootstrap.slice(0, 100))} is not among its vats; ${advice}`,
      { exitCode: 1 },
    );
  return {
    ...{ vats, devices },
    ...(reapInterval !== undefined && { reapInterval }),
    ...(reapGCKrefs !== undefined && { reapGCKrefs }),
    ...program,
  };
};
