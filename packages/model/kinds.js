// The kinds of deliveries and syscalls: one table each. A row says how a delivery or a syscall is encoded, mapped
// between the two notations, counted and logged (delivery.js, twice.js, kernel/crank, observe/slog).

/**
 * The kinds of a tuple's fields. Only references are mapped between vrefs and krefs:
 *
 * - `ref`: a reference; `result`: a reference or null; `refs`: a list of references
 * - `data`: capdata; `resolutions`: promises with their data
 * - `text`, `flag`, `number`
 * - `values`, `last`, `stages`: fields of a `react`, which are encoded together
 *
 * @typedef {'ref' | 'result' | 'refs' | 'data' | 'resolutions' | 'text' | 'flag' | 'number' | 'values' | 'last' | 'stages'} Field
 */

/**
 * @typedef {object} Kind
 * @property {string} name  the first element of the tuple
 * @property {number} byte  its first byte when encoded
 * @property {readonly Field[]} fields  the other elements
 * @property {string} counter  for a syscall: its own counter; empty if the profile counts it
 * @property {boolean} isInAll  whether the counter `syscalls` counts it
 * @property {boolean} isAnswered  whether the vat waits for an answer from the kernel
 */

/**
 * @param {Record<string, readonly Field[]>} table  in the order of their bytes, so new rows go to the end
 * @param {(name: string) => Pick<Kind, 'counter' | 'isInAll' | 'isAnswered'>} describe
 * @returns {readonly Kind[]}
 */
const makeKinds = (table, describe) =>
  Object.freeze(
    Object.entries(table).map(([name, fields], byte) =>
      Object.freeze({ name, byte, fields: Object.freeze([...fields]), ...describe(name) }),
    ),
  );

/** Syscalls that get an answer while the crank runs. */
export const answeredSyscalls = Object.freeze(['vatstoreGet', 'vatstoreGetNextKey', 'callNow']);

/**
 * The profile counts how many promises a resolve settles, and to which states. SwingSet does not count abandoned
 * exports.
 */
const uncounted = ['resolve', 'abandonExports'];

export const deliveryKinds = makeKinds(
  {
    none: ['text', 'text'],
    startVat: ['data'],
    message: ['ref', 'data', 'result'],
    notify: ['resolutions'],
    bringOutYourDead: [],
    dropExports: ['refs'],
    retireExports: ['refs'],
    retireImports: ['refs'],
    stopVat: ['data'],
    react: ['values', 'last', 'stages'],
  },
  () => ({ counter: '', isInAll: false, isAnswered: false }),
);

export const syscallKinds = makeKinds(
  {
    send: ['ref', 'data', 'result'],
    subscribe: ['ref'],
    resolve: ['resolutions'],
    exit: ['flag', 'data'],
    vatstoreGet: ['text'],
    vatstoreSet: ['text', 'text'],
    vatstoreDelete: ['text'],
    vatstoreGetNextKey: ['text'],
    callNow: ['ref', 'text', 'data'],
    dropImports: ['refs'],
    retireImports: ['refs'],
    retireExports: ['refs'],
    setPort: ['number', 'data'],
    requestStop: [],
    abandonExports: ['refs'],
  },
  name => ({
    counter: uncounted.includes(name) ? '' : `syscall${name[0].toUpperCase()}${name.slice(1)}`,
    isInAll: !uncounted.includes(name) && name !== 'exit',
    isAnswered: answeredSyscalls.includes(name),
  }),
);

const deliveriesByName = new Map(deliveryKinds.map(kind => [kind.name, kind]));
const syscallsByName = new Map(syscallKinds.map(kind => [kind.name, kind]));

const [send, subscribe, resolve] = syscallKinds;
const setPort = syscallKinds[12];
const message = deliveryKinds[2];
const notify = deliveryKinds[3];
const react = deliveryKinds[9];

/**
 * The kind of a syscall. Nearly all syscalls are of one of four kinds.
 *
 * @param {string} name
 * @returns {Kind | undefined} undefined for an unknown name
 */
export const findSyscallKind = name => {
  if (name === 'send') return send;
  if (name === 'subscribe') return subscribe;
  if (name === 'resolve') return resolve;
  return name === 'setPort' ? setPort : syscallsByName.get(name);
};

/**
 * @param {string} name
 * @returns {Kind | undefined} undefined for an unknown name
 */
export const findDeliveryKind = name => {
  if (name === 'message') return message;
  if (name === 'notify') return notify;
  return name === 'react' ? react : deliveriesByName.get(name);
};
