// Runs a program of virtual data on a supervisor alone, over a Map for the vat's store, and logs what it says to the kernel.
// The same program and log can be had of today's liveslots: a program knows only what it is given.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { E, Far, loadVirtualTools, makeVatDataParts, makeWeakCollections, supervisors } from '#vat';

/**
 * One incarnation of a program's vat: how its root object is built, and which deliveries it gets.
 *
 * @typedef {object} Incarnation
 * @property {(env: any) => (vatPowers: any, parameters: any, baggage: any) => any} build
 * @property {(kit: any) => Promise<void>} [steps]
 */

/** @typedef {Incarnation | { incarnations: Incarnation[] }} Program */

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

const settle = async () => {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
};

/** @param {string} _name @param {unknown} value */
const plain = (_name, value) =>
  typeof value === 'bigint' ? `${value}n` : value === undefined ? '#undef' : value;

/** @param {any} value */
const tell = value =>
  value instanceof Error
    ? `${value.name}: ${value.message}`
    : typeof value === 'object' && value !== null && !Array.isArray(value)
      ? String(value)
      : value;

/** @param {any} body @param {string[]} [slots] */
const cap = (body, slots = []) =>
  harden({ body: `#${typeof body === 'string' ? body : JSON.stringify(body)}`, slots });

/**
 * @param {Map<string, string>} store
 * @param {(...line: any[]) => void} log
 * @param {(env: any) => (vatPowers: any, parameters: any, baggage: any) => any} build
 */
const makeVat = async (store, log, build) => {
  const tools = await loadVirtualTools();
  const vatData = makeVatDataParts('v1');
  /** @type {any} */
  let table;
  const { WeakMap: VatWeakMap, WeakSet: VatWeakSet } = makeWeakCollections();
  const env = {
    M: tools.libraries.patterns.M,
    E,
    Far,
    VatData: vatData.VatData,
    WeakMap: VatWeakMap,
    WeakSet: VatWeakSet,
    say: (/** @type {any[]} */ ...values) => log('say', ...values.map(tell)),
  };
  const supervisor = supervisors.smallcaps({
    vatId: 'v1',
    vatPowers: {},
    onSentError: () => {},
    collector: {
      WeakRef,
      watch: found => {
        table = found;
      },
      collect() {
        table.beginCollection();
        collect();
        table.endCollection();
      },
    },
    virtual: { vatData, tools, isUsed: true },
    buildRoot: (powers, parameters) => build(env)(powers, parameters, vatData.provideBaggage()),
  });
  /** @param {any} delivery */
  return async delivery => {
    let seen = 0;
    /** @param {readonly any[]} syscalls */
    const apply = syscalls => {
      for (; seen < syscalls.length; seen += 1) {
        const [kind, ...args] = syscalls[seen];
        if (kind === 'vatstoreSet') {
          log('set', ...args);
          store.set(args[0], args[1]);
        } else if (kind === 'vatstoreDelete') {
          log('delete', ...args);
          store.delete(args[0]);
        } else if (!kind.startsWith('vatstoreGet')) {
          log(kind, ...args);
        }
      }
    };
    if (delivery[0] === 'bringOutYourDead') await settle();
    supervisor.begin(
      delivery,
      (question, earlier) => {
        apply(earlier);
        const [kind, key] = question;
        if (kind === 'bringOutYourDead') return { kind: 'value', value: undefined };
        if (kind === 'vatstoreGet') return { kind: 'value', value: store.get(key) };
        return {
          kind: 'value',
          value: [...store.keys()].sort().find(found => found > String(key)),
        };
      },
      { timeNs: 0, microstep: 0, stage: 0 },
    );
    await settle();
    const result = supervisor.finish();
    apply(result.syscalls);
    if (result.fault) throw Error(result.fault.replace(/^Error: /, ''));
    return result;
  };
};

/**
 * @param {Program} program
 * @returns {Promise<string[]>} the log, a line of JSON each
 */
export const runProgram = async program => {
  /** @type {string[]} */
  const lines = [];
  /** @type {string[]} */
  const said = [];
  const log = (/** @type {any[]} */ ...line) => {
    // Lines of `say` are logged after all syscalls of their delivery.
    if (line[0] !== 'say' && String(line[0]).startsWith('>')) lines.push(...said.splice(0));
    (line[0] === 'say' ? said : lines).push(JSON.stringify(line, plain));
  };
  /** @type {Map<string, string>} */
  const store = new Map();
  for (const { build, steps } of 'incarnations' in program ? program.incarnations : [program]) {
    log('incarnation');
    const dispatch = await makeVat(store, log, build);
    let results = 1000;
    /** @param {string} kind */
    const listed =
      kind =>
      async (/** @type {string[]} */ ...vrefs) => {
        log(`> ${kind}`, vrefs);
        await dispatch([kind, vrefs]);
      };
    log('> start');
    try {
      await dispatch(['startVat', cap('"#undefined"')]);
    } catch (/** @type {any} */ error) {
      log('start failed', error.message);
      continue;
    }
    await steps?.({
      cap,
      store,
      deliver: async (
        /** @type {string} */ target,
        /** @type {string} */ method,
        /** @type {any[]} */ args = [],
        /** @type {string[]} */ slots = [],
      ) => {
        log('> message', target, method);
        results += 1;
        await dispatch(['message', target, cap([method, args], slots), `p-${results - 1}`]);
      },
      notify: async (/** @type {any[]} */ resolutions) => {
        log('> notify');
        await dispatch(['notify', resolutions]);
      },
      boyd: async () => {
        log('> boyd');
        return dispatch(['bringOutYourDead']);
      },
      drop: listed('dropExports'),
      retireExports: listed('retireExports'),
      retireImports: listed('retireImports'),
    });
    lines.push(...said.splice(0));
    log('store');
    for (const key of [...store.keys()].sort()) log(key, store.get(key));
    // The kernel does this at an upgrade.
    for (const key of [...store.keys()])
      if (/^vom\.(o\+v|vkind|rc\.o\+v|es\.o\+v)/.test(key)) store.delete(key);
  }
  return lines;
};
