// Makes a new state from a config: bundles, devices and vats. Bundles and devices are stored in the state, so that a
// resumed or replayed run needs no sources.

import { quote, UserError } from '#model';
import { makeQclassMarshal, makeSmallcapsMarshal } from '#vat';
import { usualVats } from '#system-vats';
import { nameConfig } from '#config';
import { findSignOf2020 } from '#loader/bundle';
import { bootstrapResultKey } from './bootstrap-result.js';
import { writeDeviceRecord } from './device-records.js';
import { archiveCode, bundleCode, bundleConfiguredVat } from '../vats/vats.js';

/** @import { InitialState, Kernel, WiringPlan } from '#kernel' */
/** @import { BundleShelf } from '../vats/bundle-shelf.js' */
/** @import { LoadedConfig } from '#config/load-config.js' */
/** @import { VatConfig } from '#config/read-config.js' */
/** @import { DeviceRecord } from '../vats/make-device.js' */
/** @import { VatSource } from '../vats/vats.js' */

/**
 * `launches`: the original bootstrap vat of an indirect run. `strict`: objects with methods are refused without `Far`.
 *
 * @typedef {InitialState & { launches?: string, relaxDurabilityRules?: boolean, strict?: boolean }} Program
 */

const bootstrapVatKey = 'host.bootstrapVat';
const launchesKey = 'host.launches';
const firstRootKey = 'host.firstRoot';
const wiringKey = 'host.wiring';
const relaxedKey = 'host.relaxDurabilityRules';
const strictKey = 'host.strict';

/** @typedef {Pick<Kernel, 'getHostValue'>} HostValues */

/**
 * Store the parts of a program that the kernel does not keep.
 *
 * @param {Pick<Kernel, 'setHostValue'>} kernel
 * @param {Program} program
 */
const writeProgram = (kernel, program) => {
  const { bootstrap, firstRoot, launches, wiring, relaxDurabilityRules, strict } = program;
  if (strict) kernel.setHostValue(strictKey, '1');
  kernel.setHostValue(bootstrapVatKey, bootstrap);
  if (firstRoot !== undefined) kernel.setHostValue(firstRootKey, firstRoot);
  if (launches !== undefined) kernel.setHostValue(launchesKey, launches);
  if (wiring !== undefined) kernel.setHostValue(wiringKey, JSON.stringify(wiring));
  if (relaxDurabilityRules) kernel.setHostValue(relaxedKey, 'true');
};

/**
 * @param {HostValues} kernel
 * @returns {{ bootstrap: string, firstRoot?: string, launches?: string, wiring?: WiringPlan, relaxDurabilityRules?: true, strict?: boolean }}
 */
export const readProgram = kernel => {
  const launches = kernel.getHostValue(launchesKey);
  const wiring = kernel.getHostValue(wiringKey);
  const firstRoot = kernel.getHostValue(firstRootKey);
  return {
    bootstrap: kernel.getHostValue(bootstrapVatKey) ?? '',
    ...(firstRoot !== undefined && { firstRoot }),
    ...(launches !== undefined && { launches }),
    ...(kernel.getHostValue(strictKey) === '1' && { strict: true }),
    ...(wiring !== undefined && { wiring: JSON.parse(wiring) }),
    ...(kernel.getHostValue(relaxedKey) === 'true' && { relaxDurabilityRules: true }),
  };
};

/**
 * Make a new state of a program, in a kernel that has none.
 *
 * @param {Kernel} kernel
 * @param {Program} program
 */
export const beginProgram = (kernel, program) => {
  kernel.setHostValue(bootstrapResultKey, kernel.initialise(program));
  writeProgram(kernel, program);
};

/**
 * Make the marshaller of the host's own messages: data only, no references.
 *
 * @param {Kernel['profile']} profile
 */
export const makeHostMarshal = ({ wire }) => {
  const refuse = () => {
    throw new UserError(
      'the arguments of a host message, and the parameters of a vat, can only be data',
    );
  };
  const make = wire.name === 'qclass' ? makeQclassMarshal : makeSmallcapsMarshal;
  return make(refuse, refuse, {});
};

/**
 * Format a vat's parameters as the body of its start delivery. For 2020 it is the JSON of the config.
 *
 * @param {Kernel['profile']} profile
 * @param {ReturnType<typeof makeHostMarshal>} marshal
 * @param {Record<string, unknown>} parameters
 */
export const formatParameters = ({ wire }, marshal, parameters) =>
  wire.name === 'qclass' ? JSON.stringify(parameters) : marshal.hardenToCapData(parameters).body;

/**
 * The parts of a new state under construction.
 *
 * @typedef {object} NewState
 * @property {Kernel} kernel
 * @property {BundleShelf} shelf
 * @property {string | undefined} cacheDir
 * @property {string[]} [notices]  takes lines for people
 */

/**
 * Tell of a part of the config that has the name of one of the system's.
 *
 * @param {'vat' | 'device'} kind
 * @param {string} name
 * @param {Readonly<Record<string, unknown>>} parts
 * @param {NewState} state
 */
const noteReplaced = (kind, name, parts, { notices }) => {
  if (parts[name] === undefined) return;
  notices?.push(
    `${kind} ${quote(name)} of the config takes the place of the system's ${kind} of that name, which SwingSet would run instead; call it otherwise if both are wanted`,
  );
};

/**
 * @param {LoadedConfig} config
 * @param {NewState} state
 * @returns {Promise<string[]>} the devices' names, in the order of their ids
 */
const installDevices = async (config, state) => {
  const { kernel, shelf, cacheDir } = state;
  const devices = { ...config.devices };
  if (devices.vatAdmin?.builtIn !== 'vatAdmin') noteReplaced('device', 'vatAdmin', devices, state);
  // Every run has this device.
  devices.vatAdmin ??= { builtIn: 'vatAdmin', parameters: {}, creationOptions: {} };
  for (const [name, { builtIn, parameters, ...code }] of Object.entries(devices)) {
    /** @type {DeviceRecord} */
    const record = { parameters };
    if (builtIn !== undefined) record.builtIn = builtIn;
    else {
      const made = await bundleCode(`device ${quote(name)}`, code, config, cacheDir);
      record.source = shelf.install(noteSlips(made, state));
    }
    writeDeviceRecord(kernel, name, record);
  }
  return Object.keys(devices);
};

/**
 * Make a function that adds a notice for a program of 2020. Such a program may run under `current` for a while and then
 * fail with an error that does not name the cause.
 *
 * @param {NewState} state
 * @returns {(vatName: string, source: VatSource) => VatSource}
 */
const makeNoteOf2020 = ({ kernel, notices }) => {
  let isNoted = kernel.profile.name !== 'current' || notices === undefined;
  return (vatName, source) => {
    const sign = isNoted ? undefined : findSignOf2020(source.bundle);
    if (sign === undefined) return source;
    isNoted = true;
    notices?.push(
      `vat ${quote(vatName)} seems to be a program of 2020: ${sign}; if it is, run it with --profile 2020-09`,
    );
    return source;
  };
};

/** Pass on what is told of sources. @template {{ notices?: string[] }} T @param {T} made @param {NewState} state */
const noteSlips = (made, { notices }) => {
  // Vats may share files.
  for (const notice of made.notices ?? [])
    if (notices?.includes(notice) === false) notices.push(notice);
  return made;
};

/**
 * Install the code that a config names. Where code of the run may ask for bundles, each has an archive beside it; one that
 * cannot be made is told about, and asking for that bundle is an error.
 *
 * @param {LoadedConfig} config
 * @param {NewState} state
 * @param {readonly string[]} sources  ids of the bundles of vats
 */
const installNamed = async (config, state, sources) => {
  const { shelf, cacheDir, notices } = state;
  /** @type {Map<string, string>} */
  const ids = new Map();
  for (const [name, code] of Object.entries(config.bundles)) {
    const made = await bundleCode(`bundle ${quote(name)}`, code, config, cacheDir);
    const id = shelf.install(noteSlips(made, state));
    shelf.setName(name, id);
    ids.set(name, id);
  }
  if (![...ids.values(), ...sources].some(id => shelf.mayAskForBundles(id))) return;
  for (const [name, id] of ids) {
    try {
      const archive = await archiveCode(config.bundles[name], config, cacheDir);
      if (archive !== undefined) shelf.setArchive(id, archive);
    } catch (error) {
      if (!UserError.is(error)) throw error;
      notices?.push(
        `bundle ${quote(name)} is for vats alone, and getBundle() fails: ${error.message}`,
      );
    }
  }
};

/**
 * @param {LoadedConfig} config
 * @param {NewState} state
 * @returns {Promise<Program>}
 */
export const installConfig = async (config, state) => {
  const { kernel, shelf, cacheDir } = state;
  const { profile } = kernel;
  if (config.wiring !== undefined && !profile.startsVatsInCranks) {
    throw new UserError(
      `${nameConfig(config)}: "connections" and "reactors" need --profile current, and this is ${profile.name}`,
    );
  }
  // As in today's SwingSet, only the system's own comms vat pipelines unless its config says so.
  const pipelines = (/** @type {string} */ name) => profile.name === '2020-09' || name === 'comms';
  const marshal = makeHostMarshal(profile);
  const noteOf2020 = makeNoteOf2020(state);
  const bundleNamed = async (/** @type {string} */ name, /** @type {VatConfig} */ vat) =>
    noteSlips(await bundleConfiguredVat(name, vat, config, cacheDir), state);
  /** @type {Program['vats']} */
  const vats = [];
  for (const [name, vat] of Object.entries(config.vats)) {
    const { builtIn } = vat;
    vats.push({
      name,
      source: builtIn ?? shelf.install(noteOf2020(name, await bundleNamed(name, vat))),
      parameters: formatParameters(profile, marshal, vat.parameters),
      isBuiltIn: builtIn !== undefined,
      pipelining: vat.creationOptions.enablePipelining ?? (builtIn === 'comms' && pipelines(name)),
      options: /** @type {Record<string, unknown>} */ ({ ...vat.creationOptions }),
    });
  }
  for (const name of usualVats) {
    if (config.vats[name]?.builtIn !== name) noteReplaced('vat', name, config.vats, state);
    if (config.vats[name] || config.omitted?.includes(name)) continue;
    vats.push({
      name,
      source: name,
      parameters: formatParameters(profile, marshal, {}),
      isBuiltIn: true,
      pipelining: name === 'comms',
      // Comms counts the other side's references itself.
      options: name === 'comms' ? { reapInterval: 'never' } : {},
    });
  }
  await installNamed(
    config,
    state,
    vats.filter(({ isBuiltIn }) => !isBuiltIn).map(({ source }) => source),
  );
  const { bootstrap, firstRoot, wiring, launches } = config;
  const { defaultReapInterval: reapInterval, defaultReapGCKrefs: reapGCKrefs } = config;
  return {
    vats,
    devices: await installDevices(config, state),
    bootstrap,
    ...(firstRoot !== undefined && { firstRoot }),
    ...(reapInterval !== undefined && { reapInterval }),
    ...(reapGCKrefs !== undefined && { reapGCKrefs }),
    ...(wiring !== undefined && { wiring }),
    ...(launches !== undefined && { launches }),
    ...(config.relaxDurabilityRules && { relaxDurabilityRules: true }),
  };
};
