// Compares a config with the recorded run that is to use its sources. The run uses the recorded config, so a person who
// has changed theirs must learn that the change has no effect.

import { formatExactDuration, quote } from '#model';
import { readFirstThresholds, readVatBeginning } from '#kernel';
import { usualVats } from '#system-vats';
import { nameConfig } from '#config';
import { formatParameters, makeHostMarshal, readProgram } from '../state/new-state.js';
import { readDeviceRecord } from '../state/device-records.js';

/** @import { Kernel, PlannedPorts, WiringPlan } from '#kernel' */
/** @import { LoadedConfig } from '#config/load-config.js' */

/** The facts of a program by place, such as `vat "alice": parameter "rounds"`. @typedef {Map<string, string>} Facts */

/** @typedef {WiringPlan['connections'][number]} Connection */

/**
 * @param {Facts} facts
 * @param {string} place
 * @param {Record<string, unknown>} record
 */
const addEach = (facts, place, record) => {
  for (const [name, value] of Object.entries(record))
    if (value !== undefined) facts.set(`${place} ${quote(name)}`, JSON.stringify(value));
};

/** @param {string} body  of capdata, or JSON @returns {Record<string, unknown>} */
const readParameters = body => JSON.parse(body.replace(/^#/, ''));

/**
 * @param {Facts} facts
 * @param {object} vat
 * @param {string} vat.name
 * @param {string | undefined} vat.builtIn
 * @param {string} vat.parameters  body
 * @param {Record<string, unknown>} vat.options
 */
const addVat = (facts, { name, builtIn, parameters, options }) => {
  const place = `vat ${quote(name)}`;
  facts.set(place, builtIn ?? 'own');
  addEach(facts, `${place}: parameter`, readParameters(parameters));
  addEach(facts, `${place}: option`, options);
};

/**
 * @param {Facts} facts
 * @param {string} name
 * @param {{ builtIn?: string, parameters: Record<string, unknown> }} device
 */
const addDevice = (facts, name, { builtIn, parameters }) => {
  const place = `device ${quote(name)}`;
  facts.set(place, builtIn ?? 'own');
  addEach(facts, `${place}: parameter`, parameters);
};

/**
 * @param {Facts} facts
 * @param {object} program
 * @param {string} program.bootstrap
 * @param {number | 'never'} [program.reapInterval]
 * @param {number | 'never'} [program.reapGCKrefs]
 * @param {WiringPlan} [program.wiring]
 */
const addRest = (facts, { bootstrap, reapInterval, reapGCKrefs, wiring }) => {
  facts.set('"bootstrap"', bootstrap);
  if (reapInterval !== undefined) facts.set('"defaultReapInterval"', String(reapInterval));
  if (reapGCKrefs !== undefined) facts.set('"defaultReapGCKrefs"', String(reapGCKrefs));
  if (wiring !== undefined && wiring.timeoutNs >= 0)
    facts.set('"reactors.timeout"', String(wiring.timeoutNs));
};

/**
 * @param {Kernel} recorded
 * @param {LoadedConfig} config
 */
const factsOfRecording = (recorded, config) => {
  /** @type {Facts} */
  const facts = new Map();
  const program = readProgram(recorded);
  const { interval: reapInterval, gcKrefs: reapGCKrefs } = readFirstThresholds(recorded.state);
  addRest(facts, {
    ...program,
    ...(reapInterval !== undefined && { reapInterval }),
    ...(reapGCKrefs !== undefined && { reapGCKrefs }),
  });
  for (const vat of recorded.vats()) {
    const { name, isStatic, isBuiltIn } = vat;
    const { source, parameters, options } = readVatBeginning(recorded.state, vat);
    // A config need not name the usual vats.
    const isUsual = isBuiltIn && usualVats.includes(name) && config.vats[name] === undefined;
    if (!isStatic || isUsual) continue;
    addVat(facts, { name, builtIn: isBuiltIn ? source : undefined, parameters, options });
  }
  for (const { name } of recorded.devices()) {
    if (name !== 'vatAdmin' || config.devices.vatAdmin !== undefined)
      addDevice(facts, name, readDeviceRecord(recorded, name));
  }
  return facts;
};

/**
 * @param {LoadedConfig} config
 * @param {Kernel['profile']} profile
 */
const factsOfConfig = (config, profile) => {
  /** @type {Facts} */
  const facts = new Map();
  const { bootstrap, defaultReapInterval, defaultReapGCKrefs, wiring } = config;
  addRest(facts, {
    bootstrap,
    ...(defaultReapInterval !== undefined &&
      profile.collectsObjects && { reapInterval: defaultReapInterval }),
    ...(defaultReapGCKrefs !== undefined &&
      profile.collectsObjects && { reapGCKrefs: defaultReapGCKrefs }),
    ...(wiring !== undefined && { wiring }),
  });
  const marshal = makeHostMarshal(profile);
  for (const [name, { builtIn, parameters, creationOptions }] of Object.entries(config.vats)) {
    addVat(facts, {
      ...{ name, builtIn, parameters: formatParameters(profile, marshal, parameters) },
      options: { ...creationOptions },
    });
  }
  for (const [name, device] of Object.entries(config.devices)) addDevice(facts, name, device);
  return facts;
};

/** @param {PlannedPorts | PlannedPorts[]} ports */
const showPorts = ports =>
  [ports]
    .flat()
    .map(each => (typeof each === 'string' ? each : `interleaved(${each.interleaved.join(', ')})`))
    .join(', ');

/** @param {Connection} connection */
const showConnection = ({ from, to, afterNs, physical, repeat, partial }) =>
  [
    `${showPorts(from)} → ${showPorts(to)}`,
    ...(afterNs === undefined ? [] : [`after ${formatExactDuration(afterNs)}`]),
    ...(physical ? ['physical'] : []),
    ...(repeat ? ['repeat'] : []),
    ...(partial ? ['partial'] : []),
  ].join(', ');

/**
 * @param {string[]} left
 * @param {string[]} right
 * @returns {string[]} the items of the first list without those of the second; repeated items count
 */
const without = (left, right) => {
  const rest = [...right];
  return left.filter(each => {
    const at = rest.indexOf(each);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
};

/**
 * @param {Connection[]} were
 * @param {Connection[]} are
 * @param {string} file
 * @param {string} what  name of the other side
 */
const compareConnections = (were, are, file, what) => {
  const before = were.map(showConnection);
  const now = are.map(showConnection);
  const differences = [
    ...without(before, now).map(each => `connection ${each} is not in ${file}`),
    ...without(now, before).map(each => `connection ${each} of ${file} is not in the ${what}`),
  ];
  if (differences.length > 0 || before.join('\n') === now.join('\n')) return differences;
  return [`connections are in another order in ${file}`];
};

/**
 * @param {Kernel} recorded
 * @param {LoadedConfig} config
 * @param {'recording' | 'state'} [what]  name of the other side
 * @returns {string[]} differences other than sources, a line each
 */
export const compareConfigs = (recorded, config, what = 'recording') => {
  const file = nameConfig(config);
  const was = factsOfRecording(recorded, config);
  const is = factsOfConfig(config, recorded.profile);
  // Arguments of the command line are not part of a config.
  for (const facts of [was, is])
    facts.delete(`vat ${quote(facts.get('"bootstrap"'))}: parameter "argv"`);
  /** @type {string[]} */
  const differences = [];
  /**
   * Whether a place is missing. Parameters of a missing vat or device are not listed.
   *
   * @param {Facts} facts
   * @param {string} place
   */
  const lacks = (facts, place) => {
    const [subject] = place.split(': ');
    return !facts.has(place) && (subject === place || facts.has(subject));
  };
  for (const [place, value] of was) {
    if (lacks(is, place)) differences.push(`${place} is not in ${file}`);
    else if (is.has(place) && is.get(place) !== value)
      differences.push(`${place} is another in ${file}`);
  }
  for (const place of is.keys())
    if (lacks(was, place)) differences.push(`${place} of ${file} is not in the ${what}`);
  const common = [...was.keys()].filter(place => is.has(place) && /^vat "[^"]*"$/.test(place));
  if (common.join('\n') !== [...is.keys()].filter(place => common.includes(place)).join('\n'))
    differences.push(`vats are in another order in ${file}`);
  const { wiring, strict = false } = readProgram(recorded);
  if (recorded.profile.name === 'current' && config.lenient === strict)
    differences.push(`"lenient" is another in ${file}`);
  return [
    ...differences,
    ...compareConnections(wiring?.connections ?? [], config.wiring?.connections ?? [], file, what),
  ];
};

/**
 * The arguments of the bootstrap vat, which usually come from the command line.
 *
 * @param {Kernel} recorded
 * @returns {string[] | undefined}
 */
export const recordedArguments = recorded => {
  const { bootstrap, launches } = readProgram(recorded);
  const vat = recorded.vats().find(({ name }) => name === bootstrap);
  if (vat === undefined) return undefined;
  /** @type {Record<string, any>} */
  const parameters = readParameters(vat.parameters);
  if (launches === undefined) return parameters.argv;
  return parameters.launch?.vats.find((/** @type {any} */ each) => each.name === launches)
    ?.parameters.argv;
};
