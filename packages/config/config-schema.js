// The JSON Schema of a config, for editors. It is made from the tables of config-fields.js, so it has each field and
// what it must be. Rules about files, names elsewhere in the config and the machine are checked when a config is read.

import {
  bundleFields,
  codeFields,
  configFields,
  connectionFields,
  deviceFields,
  deviceOptionFields,
  interleavedFields,
  reactorFields,
  vatFields,
  vatOptionFields,
} from './config-fields.js';

/** @import { Fields } from './config-fields.js' */

/** @typedef {Record<string, unknown>} Schema  of draft 7, which editors know best */

/** The meaning of a field, where its name does not say it. @type {Record<string, string>} */
const meanings = {
  bootstrap: 'The vat that starts: it gets the message bootstrap(vats, devices).',
  vats: 'The vats by their names, in the order in which they are made.',
  bundles: 'Code by its name, for the bundleName of a vat and for vats made in the run.',
  devices: 'The devices by their names; timer, mailbox and others of the system need no code.',
  connections: 'Connections between the ports of reactors in vats.',
  sourceSpec: 'The file of the source, relative to this one, or a package.',
  bundleSpec: 'A file with a bundle, relative to this one.',
  bundleName: 'One of "bundles".',
  bundle: 'The bundle, inline.',
  parameters: 'Plain data that the code is given (vatParameters).',
  workers: 'Threads for vats beside the main one; with auto, vats with reactors stay on it.',
  sourceRoots: 'Directories and files that sources may import from, beside their own.',
  critical: 'Whether the end of the vat ends the run.',
  mayFail: 'Whether the vat may end with a failure in a run that has gone well.',
  lenient: 'Whether objects of methods that nobody declared Far() pass by reference.',
};

/** A name may have so many bytes, and a character has at least one. */
const longestName = 200;

/** @param {string} name @param {Fields[string]} field @param {Schema | undefined} inner */
const fieldSchema = (name, { schema, expects, notice }, inner) => {
  // Only a notice that holds for every value is said of undefined without quoting it.
  const said = notice?.(undefined);
  const ignored = said === undefined || said.includes('undefined') ? '' : ` It ${said}.`;
  const meaning = Object.hasOwn(meanings, name) ? `${meanings[name]} ` : '';
  return { description: `${meaning}Must be ${expects}.${ignored}`, ...schema, ...inner };
};

/**
 * @param {Fields} fields
 * @param {Record<string, Schema>} [inside]  the schema of a field's content, by its name
 * @returns {Schema}
 */
const objectSchema = (fields, inside = {}) => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, fieldSchema(name, field, inside[name])]),
  ),
});

/** @param {Schema} value */
const byName = value => ({
  propertyNames: { maxLength: longestName },
  additionalProperties: value,
});

/** Exactly one of these fields. @param {string[]} names */
const oneOf = names => ({ oneOf: names.map(name => ({ required: [name] })) });

/** At most one of these fields. @param {string[]} names */
const atMostOne = names => ({
  oneOf: [
    { not: { anyOf: names.map(name => ({ required: [name] })) } },
    ...names.map(name => ({ required: [name] })),
  ],
});

/** @param {Fields} fields */
const codeOf = fields => Object.keys(codeFields).filter(name => Object.hasOwn(fields, name));

const vatOptions = {
  ...objectSchema(vatOptionFields),
  not: {
    required: ['neverReap', 'reapInterval'],
    properties: { neverReap: { const: true } },
  },
};

const vat = {
  ...objectSchema(vatFields, { creationOptions: vatOptions }),
  ...oneOf(codeOf(vatFields)),
};

const device = {
  ...objectSchema(deviceFields, { creationOptions: objectSchema(deviceOptionFields) }),
  ...atMostOne(codeOf(deviceFields)),
};

const bundle = { ...objectSchema(bundleFields), ...oneOf(codeOf(bundleFields)) };

const port = { type: 'string', minLength: 1, examples: ['vat.port', 'vat.port[0]'] };

const portOrPorts = {
  anyOf: [
    port,
    {
      ...objectSchema(interleavedFields, {
        interleaved: { type: 'array', minItems: 1, items: port },
      }),
      required: ['interleaved'],
    },
  ],
};

const ports = {
  anyOf: [...portOrPorts.anyOf, { type: 'array', minItems: 1, items: portOrPorts }],
};

/** `"10 ms"`; a number counts nanoseconds. */
const duration = {
  anyOf: [
    { type: 'string', pattern: '^\\s*(0|\\d+(\\.\\d+)?\\s*(ns|us|µs|ms|s|min|h|d))\\s*$' },
    { type: 'integer', minimum: 0 },
  ],
};

const connection = {
  ...objectSchema(connectionFields, { from: ports, to: ports, after: duration }),
  required: ['from', 'to'],
};

/**
 * The JSON Schema (draft 7) of a config.
 *
 * @returns {Schema}
 */
export const makeConfigSchema = () => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'A config of swingset-runner (swingset.json)',
  ...objectSchema(configFields, {
    vats: { ...byName(vat), minProperties: 1 },
    bundles: byName(bundle),
    devices: byName(device),
    connections: { items: connection },
    reactors: objectSchema(reactorFields, { timeout: duration }),
    benchmarkDriver: vat,
  }),
  required: ['bootstrap', 'vats'],
});
