// The fields of a swingset config, of 2020 and of today: what each must be, and the notice for those that have no
// effect here. A field that is not in these tables is an error.

import {
  isRecord,
  isVatLimits,
  isWorkerCount,
  mostWorkers,
  vatLimitsExpected,
  vatLimitsSchema,
  workersExpected,
} from '#model';

/**
 * @typedef {object} Field
 * @property {(value: unknown) => boolean} check
 * @property {string} expects  completes "must be …"
 * @property {Record<string, unknown>} schema  what `check` accepts, as JSON Schema, for editors
 * @property {(value: unknown) => string | undefined} [notice]  the notice for a value that has no effect here
 */

/** @typedef {Record<string, Field>} Fields */

/** @param {unknown} value */
const isName = value => typeof value === 'string' && value !== '';

/** @type {Field} */
const name = {
  check: isName,
  expects: 'a string that is not empty',
  schema: { type: 'string', minLength: 1 },
};
/** @type {Field} */
const flag = {
  check: value => typeof value === 'boolean',
  expects: 'true or false',
  schema: { type: 'boolean' },
};
/** @type {Field} */
const record = { check: isRecord, expects: 'an object', schema: { type: 'object' } };
/** @type {Field} */
const strings = {
  check: value => Array.isArray(value) && value.every(item => typeof item === 'string'),
  expects: 'a list of strings',
  schema: { type: 'array', items: { type: 'string' } },
};
/** @type {Field} */
const count = {
  check: value => Number.isSafeInteger(value) && /** @type {number} */ (value) >= 1,
  expects: 'a whole number from 1',
  schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
};
/** @type {Field} */
const countOrNever = {
  check: value => value === 'never' || count.check(value),
  expects: 'a whole number from 1, or "never"',
  schema: { anyOf: [count.schema, { const: 'never' }] },
};
/** @type {Field} */
const anything = { check: () => true, expects: 'anything', schema: {} };

/** @param {Field} field @param {string} why  completes "is ignored: …" @returns {Field} */
const ignored = (field, why) => ({ ...field, notice: () => `is ignored: ${why}` });

/** SwingSet's ways to run a vat. Here `worker` is a thread of this process; all others run beside the kernel. */
export const managerTypes = Object.freeze([
  'local',
  'worker',
  'xs-worker',
  'xsnap',
  'node-subprocess',
  'nodeWorker',
  'node-worker',
]);

/** @type {Field} */
const managerType = {
  check: value => managerTypes.includes(/** @type {string} */ (value)),
  expects: `one of ${managerTypes.map(type => `"${type}"`).join(', ')}`,
  schema: { enum: managerTypes },
  notice: value =>
    value === 'local' || value === 'worker' ? undefined : `is ignored: "${value}" runs as "local"`,
};

const noSnapshots = 'a vat is brought back from its transcript, not from a snapshot';
const chainOnly = 'it is for chains only';
const noMeters = 'vats are not metered';

/** @type {Field} */
const reapInterval = {
  ...countOrNever,
  notice: value =>
    typeof value === 'number' && value > 0 && value < 1000
      ? `costs much time: the engine collects garbage fully every ${value === 1 ? 'delivery' : `${value} deliveries`}, for 5 ms or more`
      : undefined,
};

/** In a vat's options, 0 is `never`, as in SwingSet. @param {Field} field @returns {Field} */
const orZero = field => ({
  ...field,
  check: value => value === 0 || countOrNever.check(value),
  expects: 'a whole number, or "never"',
  schema: { anyOf: [{ ...count.schema, minimum: 0 }, { const: 'never' }] },
});

/** Where a vat's code comes from. @type {Fields} */
export const codeFields = {
  sourceSpec: name,
  bundleSpec: name,
  bundle: record,
  bundleName: name,
};

/** Comments for people and editors; they have no effect. @type {Fields} */
const comments = { $comment: anything, $schema: anything };

/** @type {Fields} */
export const configFields = {
  ...comments,
  bootstrap: name,
  vats: record,
  bundles: record,
  devices: record,
  connections: {
    check: Array.isArray,
    expects: 'a list of connections',
    schema: { type: 'array' },
  },
  reactors: record,
  defaultManagerType: managerType,
  workers: {
    check: isWorkerCount,
    expects: workersExpected,
    schema: { anyOf: [{ type: 'integer', minimum: 0, maximum: mostWorkers }, { const: 'auto' }] },
  },
  defaultReapInterval: reapInterval,
  defaultReapGCKrefs: countOrNever,
  pinBootstrapRoot: flag,
  sourceRoots: strings,
  bundleCachePath: name,
  benchmarkDriver: ignored(record, 'rounds are sent to the bootstrap vat'),
  includeDevDependencies: flag,
  bundleFormat: ignored(name, 'sources are always bundled in the format of the runner'),
  relaxDurabilityRules: flag,
  lenient: flag,
  loopboxSenders: strings,
  snapshotInitial: ignored(count, noSnapshots),
  snapshotInterval: ignored(count, noSnapshots),
  coreProposals: ignored(anything, chainOnly),
  exportStorageSubtrees: ignored(anything, chainOnly),
  clearStorageSubtrees: ignored(anything, chainOnly),
};

/** One or several ports of vats. @type {Field} */
const ports = {
  check: value => isName(value) || Array.isArray(value) || isRecord(value),
  expects: 'a port as "vat.port" or "vat.port[0]", or a list of ports',
  schema: { anyOf: [name.schema, { type: 'array' }, { type: 'object' }] },
};

/** The reader of the field refuses a number without a unit. @type {Field} */
const duration = {
  check: value => isName(value) || (Number.isFinite(value) && Number(value) >= 0),
  expects: 'a duration such as "10 ms"',
  schema: { anyOf: [name.schema, { type: 'number', minimum: 0 }] },
};

/** Between the ports of vats' root reactors. @type {Fields} */
export const connectionFields = {
  ...comments,
  from: ports,
  to: ports,
  after: duration,
  physical: flag,
  repeat: flag,
  partial: flag,
};

/** @type {Fields} */
export const interleavedFields = { interleaved: strings };

/** Options of all reactor programs. @type {Fields} */
export const reactorFields = { ...comments, timeout: duration };

/** @type {Fields} */
export const vatFields = {
  ...comments,
  ...codeFields,
  parameters: record,
  creationOptions: record,
  reapInterval: ignored(countOrNever, 'SwingSet takes it among "creationOptions" only'),
};

/** @type {Fields} */
export const deviceFields = {
  ...comments,
  ...codeFields,
  parameters: record,
  creationOptions: record,
};

/** @type {Fields} */
export const bundleFields = {
  ...comments,
  sourceSpec: name,
  bundleSpec: name,
  bundle: record,
};

/** @type {Fields} */
export const vatOptionFields = {
  enableSetup: flag,
  enablePipelining: flag,
  managerType,
  critical: flag,
  mayFail: flag,
  useTranscript: {
    ...flag,
    notice: value => (value ? undefined : 'is ignored: every vat has its transcript'),
  },
  neverReap: flag,
  reapInterval: orZero(reapInterval),
  reapGCKrefs: orZero(countOrNever),
  enableDisavow: flag,
  limits: { check: isVatLimits, expects: vatLimitsExpected, schema: vatLimitsSchema },
  nodeOptions: ignored(strings, 'every vat runs in this process'),
  metered: { ...flag, notice: value => (value ? `is ignored: ${noMeters}` : undefined) },
  enableInternalMetering: {
    ...flag,
    notice: value => (value ? `is ignored: ${noMeters}` : undefined),
  },
};

/** @type {Fields} */
export const deviceOptionFields = { unendowed: flag };
