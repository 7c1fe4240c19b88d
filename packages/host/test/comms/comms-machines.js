// Machines for tests of comms: each a kernel of its own with vats of the test, a comms vat, and a vat `wire` that hands
// comms' strings to the test and takes those that the test brings. Import after lockdown.

import { audit, makeKernel } from '#kernel';
import { makeMemoryStore } from '#store';
import { E, Far, supervisors } from '#vat';
import { sha256 } from '#testkit';
import { makeComms } from '#system-vats/comms/index.js';
import { installRejectionPolicy } from '#loader/lockdown.js';
import { makeLocalTransport } from '#host/vats/local-transport.js';
import { WorkBoard } from '#host/engine/work-board.js';
import { inMacrotask } from '#host/engine/macrotask.js';
import { probeDrain } from '#host/engine/drain-jobs.js';

/** @import { Answer, Delivery, Syscall } from '#model' */

/** @typedef {'current' | '2020-09'} ProfileName */

// A vat may reject a promise that nobody listens to.
installRejectionPolicy(() => true);

/**
 * Syscalls of a raw vat, written down.
 *
 * @param {Syscall[]} list  added to
 * @returns {import('#system-vats/comms/switchboard.js').Syscalls}
 */
export const collectSyscalls = list => ({
  send: (target, methargs, result) => list.push(['send', target, methargs, result]),
  subscribe: promise => list.push(['subscribe', promise]),
  resolve: resolutions => list.push(['resolve', resolutions]),
  dropImports: vrefs => void (vrefs.length > 0 && list.push(['dropImports', vrefs])),
  retireImports: vrefs => void (vrefs.length > 0 && list.push(['retireImports', vrefs])),
  retireExports: vrefs => void (vrefs.length > 0 && list.push(['retireExports', vrefs])),
});

/** @param {ProfileName} profile */
const profileOf = profile =>
  makeKernel(profile, { store: makeMemoryStore(), sha256, onVatFault: () => {} }).profile;

/**
 * A comms vat without a kernel: what it asks for in answer to a delivery.
 *
 * @param {ProfileName} [profile]
 */
export const makeLoneComms = (profile = 'current') => {
  /** @type {Syscall[]} */
  const syscalls = [];
  const comms = makeComms(collectSyscalls(syscalls), { profile: profileOf(profile) });
  return {
    comms,
    /** @param {Delivery} delivery */
    deliver(delivery) {
      comms.dispatch(delivery);
      return syscalls.splice(0);
    },
  };
};

/**
 * @param {Record<string, object>} roots  by vat name
 * @param {ProfileName} [profile]
 */
export const makeMachine = async (roots, profile = 'current') => {
  const drain = await probeDrain();
  /** @type {[vatId: string, problem: string][]} */
  const faults = [];
  /** @type {string[]} */
  const errors = [];
  const kernel = makeKernel(profile, {
    store: makeMemoryStore(),
    sha256,
    onVatFault: (vatId, problem) => faults.push([vatId, problem]),
  });

  /** Strings on their way, by the name of the remote that they are for. @type {Map<string, string[]>} */
  const outbox = new Map();
  /** @type {Map<string, any>} */
  const receivers = new Map();

  const wire = Far('wire', {
    /** @param {any} comms @param {string} name */
    connect(comms, name) {
      outbox.set(name, []);
      const transmitter = Far('transmitter', {
        /** @param {string} text */
        transmit: text => {
          outbox.get(name)?.push(text);
        },
      });
      const setReceiver = Far('setReceiver', {
        /** @param {any} receiver */
        setReceiver: receiver => {
          receivers.set(name, receiver);
        },
      });
      return E(comms).addRemote(name, transmitter, setReceiver);
    },
    /** @param {any} comms @param {string} name @param {number} index @param {any} object */
    publish: (comms, name, index, object) => E(comms).addEgress(name, index, object),
    /** @param {any} comms @param {string} name @param {number} index @param {any} user */
    give: (comms, name, index, user) => E(user).take(E(comms).addIngress(name, index)),
    /** @param {string} name @param {string} text */
    deliver: (name, text) => E(receivers.get(name)).receive(text),
  });

  const all = { ...roots, wire };
  const names = [...Object.keys(all), 'comms'];
  kernel.initialise({
    vats: names.map(name => ({
      name,
      source: '',
      parameters: `${kernel.profile.wire.start}{}`,
      isBuiltIn: true,
      pipelining: name === 'comms',
      options: {},
    })),
    devices: [],
    bootstrap: names[0],
  });
  const vatId = (/** @type {string} */ name) => kernel.findVat(name) ?? '';
  const make = supervisors[/** @type {keyof typeof supervisors} */ (kernel.profile.wire.name)];
  for (const [name, root] of Object.entries(all)) {
    const supervisor = make({
      vatId: vatId(name),
      makeRoot: () => root,
      buildRoot: () => root,
      vatPowers: {},
      onSentError: error => errors.push(`${name}: ${/** @type {Error} */ (error).message}`),
    });
    const transport = makeLocalTransport({
      vatName: name,
      supervisor,
      drain,
      running: { vatName: undefined, delivery: undefined, cranks: 0, board: new WorkBoard() },
      onError: error => errors.push(`${name}: ${/** @type {Error} */ (error).message}`),
    });
    kernel.attachVat(vatId(name), transport);
  }
  /** @type {Syscall[]} */
  const syscalls = [];
  /** @type {Delivery[]} */
  const deliveries = [];
  const comms = makeComms(collectSyscalls(syscalls), { profile: kernel.profile });
  kernel.attachVat(vatId('comms'), {
    begin(delivery) {
      deliveries.push(delivery);
      comms.dispatch(delivery);
    },
    finish: () => ({
      fault: null,
      syscalls: syscalls.splice(0),
      answers: /** @type {Answer[]} */ ([]),
    }),
    close() {},
  });

  const run = async () => {
    for (;;) {
      const { waiting } = await inMacrotask(() => kernel.pump(Infinity));
      if (waiting === null) return;
      await waiting;
    }
  };

  /** @param {string} name */
  const rootOf = name => {
    const kref = kernel.state.vats.clist(vatId(name)).findKref('o+0');
    if (kref === undefined) throw Error(`vat ${name} has no root`);
    return kref;
  };

  /**
   * Call a root and run; arguments are data, or `{ vat: NAME }` for a root.
   *
   * @param {string} name
   * @param {string} method
   * @param {unknown[]} args
   */
  const call = async (name, method, ...args) => {
    /** @type {string[]} */
    const slots = [];
    const { wire: notation } = kernel.profile;
    const body = args
      .map(arg => {
        if (typeof arg === 'object' && arg !== null && 'vat' in arg)
          return notation.slot(slots.push(rootOf(String(arg.vat))) - 1);
        return typeof arg === 'string' ? notation.string(arg) : JSON.stringify(arg);
      })
      .join(',');
    const result = kernel.queueToVatRoot(vatId(name), {
      body: `${notation.start}[${notation.string(method)},[${body}]]`,
      slots,
    });
    await run();
    return kernel.promiseStatus(result);
  };

  return {
    kernel,
    comms,
    faults,
    errors,
    outbox,
    run,
    call,
    /** The deliveries that comms was given so far. */
    deliveries,
    audit: () => audit(kernel.state),
    vatId,

    /** @param {string} name */
    connect: name => call('wire', 'connect', { vat: 'comms' }, name),

    /** @param {string} name @param {number} index @param {string} vat */
    publish: (name, index, vat) => call('wire', 'publish', { vat: 'comms' }, name, index, { vat }),

    /** @param {string} name @param {number} index @param {string} vat  whose root has `take` */
    give: (name, index, vat) => call('wire', 'give', { vat: 'comms' }, name, index, { vat }),

    /** @param {string} name @param {string} text */
    receive: (name, text) => call('wire', 'deliver', name, text),
  };
};

/** @typedef {Awaited<ReturnType<typeof makeMachine>>} Machine */

/**
 * Carry strings between machines until there are none: those of one machine to another in their order.
 *
 * @param {Record<string, Machine>} machines  by the name under which the others know them
 * @param {object} [way]
 * @param {(from: string, to: string, text: string) => void} [way.onString]
 * @param {(limit: number) => number} [way.choose]  which of several ways has its turn; usually the first
 */
export const carry = async (machines, { onString = () => {}, choose = () => 0 } = {}) => {
  for (;;) {
    const ways = Object.entries(machines).flatMap(([from, { outbox }]) =>
      [...outbox].filter(([, strings]) => strings.length > 0).map(([to]) => ({ from, to })),
    );
    if (ways.length === 0) return;
    const { from, to } = ways[choose(ways.length)];
    const text = machines[from].outbox.get(to)?.shift() ?? '';
    onString(from, to, text);
    await machines[to].receive(from, text);
  }
};

/**
 * Two machines, `left` and `right`, that know each other; `right` has published the root of its first vat as 0, and
 * `left` has given it to its first vat.
 *
 * @param {Record<string, object>} leftRoots
 * @param {Record<string, object>} rightRoots
 * @param {ProfileName} [profile]
 */
export const makePair = async (leftRoots, rightRoots, profile) => {
  const left = await makeMachine(leftRoots, profile);
  const right = await makeMachine(rightRoots, profile);
  await left.connect('right');
  await right.connect('left');
  await right.publish('left', 0, Object.keys(rightRoots)[0]);
  await left.give('right', 0, Object.keys(leftRoots)[0]);
  return { left, right };
};
