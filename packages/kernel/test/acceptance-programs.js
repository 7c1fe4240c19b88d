// Small programs about the order of deliveries, as plain data, so that another kernel can run them too. A vat does for each
// method, and for each notify, what its script says:
//
//   ['send', target, method, arguments, result]    ['subscribe', promise]    ['exit', isFailure]
//   ['resolve', [promise, 'presence' | 'data' | 'reject', slots…], …]
//
// References are the vat's own, or `result`, `target`, `arg0`, `arg1` of the message. The first vat gets `bootstrap` with the
// roots of all: its own is o+0, those of the others are o-50, o-51 … Other vats are in the order of their names.

/** @typedef {[string, ...any[]]} Step */

/**
 * @typedef {object} OrderedProgram
 * @property {string} title
 * @property {Record<string, Record<string, Step[]>>} vats  by name, then by method; notifies are called `notify VREF`
 * @property {string[]} [pipelining]  names of vats
 */

/** @type {OrderedProgram[]} */
export const orderedPrograms = [
  {
    title: 'a message to the result of another comes after the notify of that result',
    vats: {
      boot: {
        bootstrap: [
          ['send', 'o-50', 'first', [], 'p+5'],
          ['subscribe', 'p+5'],
          ['send', 'p+5', 'second', [], 'p+6'],
          ['subscribe', 'p+6'],
          ['send', 'p+6', 'third', [], null],
        ],
      },
      zoe: {
        first: [['resolve', ['result', 'presence', 'o+1']]],
        second: [['resolve', ['result', 'presence', 'o+2']]],
      },
    },
  },
  {
    title: 'a promise resolved later in the same crank is settled for messages sent before',
    vats: {
      boot: {
        bootstrap: [
          ['send', 'p+5', 'early', [], null],
          ['send', 'o-50', 'direct', [], null],
          ['send', 'p+5', 'late', [], null],
          ['resolve', ['p+5', 'presence', 'o-50']],
        ],
      },
      zoe: {},
    },
  },
  {
    title: 'notifies of rejected results come behind all that the crank sent',
    vats: {
      boot: {
        bootstrap: [
          ['send', 'p+5', 'rejected', [], 'p+6'],
          ['subscribe', 'p+6'],
          ['send', 'p+6', 'rejected too', [], 'p+7'],
          ['subscribe', 'p+7'],
          ['resolve', ['p+5', 'data']],
          ['send', 'o-50', 'behind', [], null],
          ['send', 'o+0', 'last', [], null],
        ],
      },
      zoe: {},
    },
  },
  {
    title:
      'a resolution sends its notifies first, then what was parked, then what the crank sent behind it',
    vats: {
      boot: {
        bootstrap: [
          ['send', 'o-50', 'decide', [], 'p+5'],
          ['send', 'o-51', 'listen', ['p+5'], null],
          ['subscribe', 'p+5'],
          ['send', 'p+5', 'parked 1', [], null],
          ['send', 'p+5', 'parked 2', [], null],
        ],
      },
      alice: {
        decide: [['send', 'o+0', 'settle', [], null]],
        settle: [
          ['send', 'o+0', 'before', [], null],
          ['resolve', ['p-60', 'presence', 'o+1']],
          ['send', 'o+0', 'after', [], null],
        ],
      },
      bob: { listen: [['subscribe', 'arg0']] },
    },
  },
  {
    title:
      'several promises settled at once send one after the other, notifies and parked messages each',
    vats: {
      boot: {
        bootstrap: [
          ['send', 'o-50', 'one', [], 'p+5'],
          ['subscribe', 'p+5'],
          ['send', 'o-50', 'two', [], 'p+6'],
          ['subscribe', 'p+6'],
          ['send', 'p+6', 'to two', [], null],
          ['send', 'p+5', 'to one', [], null],
        ],
      },
      zoe: {
        two: [['resolve', ['p-61', 'presence', 'o+2'], ['p-60', 'presence', 'o+1']]],
      },
    },
  },
  {
    title: 'a promise resolved to a promise is data, and what was parked on it is rejected',
    vats: {
      boot: {
        bootstrap: [
          ['send', 'o-50', 'decide', [], 'p+5'],
          ['send', 'p+5', 'parked', [], 'p+6'],
          ['subscribe', 'p+6'],
          ['send', 'p+6', 'parked on that', [], 'p+7'],
          ['subscribe', 'p+7'],
        ],
      },
      zoe: {
        decide: [
          ['resolve', ['result', 'data', 'p+5']],
          ['send', 'o+0', 'behind', [], null],
          ['resolve', ['p+5', 'presence', 'o+1']],
        ],
      },
    },
  },
  {
    title:
      'a vat that exits: its own messages to itself are rejected behind what it sent, then its promises',
    vats: {
      boot: {
        bootstrap: [
          ['send', 'o-50', 'exit', ['o-51'], 'p+5'],
          ['subscribe', 'p+5'],
          ['send', 'o-50', 'too late', [], 'p+6'],
          ['subscribe', 'p+6'],
          ['send', 'p+5', 'parked', [], 'p+7'],
          ['subscribe', 'p+7'],
        ],
      },
      zoe: {
        exit: [
          ['send', 'o+0', 'to myself', [], 'p+5'],
          ['send', 'arg0', 'listen', ['p+5'], null],
          ['exit', false],
          ['send', 'arg0', 'behind the exit', [], null],
        ],
      },
      zora: { listen: [['subscribe', 'arg0']] },
    },
  },
  {
    title: 'a dropped crank: the promises of the vat are rejected before the result of its message',
    vats: {
      boot: {
        bootstrap: [
          ['send', 'o-50', 'decide', [], 'p+5'],
          ['subscribe', 'p+5'],
          ['send', 'p+5', 'parked', [], 'p+6'],
          ['subscribe', 'p+6'],
          ['send', 'o-50', 'fail', [], 'p+7'],
          ['subscribe', 'p+7'],
          ['send', 'o+0', 'hop', [], null],
        ],
      },
      zoe: { fail: [['send', 'o-999', 'nobody', [], null]] },
    },
  },
  {
    title: 'an exit with failure drops what the crank sent',
    vats: {
      boot: {
        bootstrap: [
          ['send', 'o-50', 'fail', ['o+1'], 'p+5'],
          ['subscribe', 'p+5'],
          ['send', 'p+5', 'parked', [], 'p+6'],
          ['subscribe', 'p+6'],
        ],
      },
      zoe: {
        fail: [
          ['send', 'arg0', 'lost', [], null],
          ['resolve', ['result', 'data']],
          ['exit', true],
        ],
      },
    },
  },
  {
    title: 'a pipelining vat takes messages to results that it has still to settle',
    pipelining: ['comms'],
    vats: {
      boot: {
        bootstrap: [
          ['send', 'o-50', 'first', [], 'p+5'],
          ['subscribe', 'p+5'],
          ['send', 'p+5', 'second', [], 'p+6'],
          ['subscribe', 'p+6'],
          ['send', 'p+6', 'third', [], null],
          ['send', 'o-51', 'other', [], null],
        ],
      },
      comms: {
        second: [['resolve', ['p-60', 'presence', 'o+1']]],
        third: [['resolve', ['p-61', 'data']]],
      },
      dan: {},
    },
  },
  {
    title: 'what is parked on the result comes to a pipelining vat before what it sends itself',
    pipelining: ['comms'],
    vats: {
      boot: {
        bootstrap: [
          ['send', 'o-50', 'first', [], 'p+5'],
          ['send', 'p+5', 'parked 1', [], 'p+6'],
          ['send', 'p+5', 'parked 2', [], 'p+7'],
          ['send', 'p+6', 'parked on parked', [], null],
        ],
      },
      comms: { first: [['send', 'o+0', 'own', [], null]] },
    },
  },
  {
    title: 'a pipelining vat that settles the result at once gets its messages by the object',
    pipelining: ['comms'],
    vats: {
      boot: {
        bootstrap: [
          ['send', 'o-50', 'first', ['o-51'], 'p+5'],
          ['subscribe', 'p+5'],
          ['send', 'p+5', 'parked 1', [], 'p+6'],
          ['send', 'p+5', 'parked 2', [], 'p+7'],
        ],
      },
      comms: {
        first: [
          ['resolve', ['result', 'presence', 'arg0']],
          ['send', 'arg0', 'own', [], null],
        ],
      },
      dan: {},
    },
  },
  {
    title:
      'a pipelining vat that settles a result while messages to it are queued for it: they go where it points',
    pipelining: ['comms'],
    vats: {
      boot: {
        bootstrap: [
          ['send', 'o-50', 'first', ['o-51'], 'p+5'],
          ['send', 'o-50', 'settle', [], null],
          ['send', 'p+5', 'parked 1', [], null],
          ['send', 'p+5', 'parked 2', [], 'p+6'],
          ['subscribe', 'p+6'],
        ],
      },
      comms: { 'parked 1': [['resolve', ['p-60', 'presence', 'o-50']]] },
      dan: {},
    },
  },
  {
    title: 'a pipelining vat that rejects a result while messages to it are queued for it',
    pipelining: ['comms'],
    vats: {
      boot: {
        bootstrap: [
          ['send', 'o-50', 'first', [], 'p+5'],
          ['send', 'p+5', 'parked 1', [], 'p+6'],
          ['subscribe', 'p+6'],
          ['send', 'p+5', 'parked 2', [], 'p+7'],
          ['subscribe', 'p+7'],
          ['send', 'o-51', 'other', [], null],
        ],
      },
      comms: { 'parked 1': [['resolve', ['p-60', 'reject']]] },
      dan: {},
    },
  },
  {
    title:
      'a pipelining vat that forwards the right to settle: messages wait until somebody has it',
    pipelining: ['comms'],
    vats: {
      boot: {
        bootstrap: [
          ['send', 'o-50', 'first', ['o-51'], 'p+5'],
          ['send', 'p+5', 'parked 1', [], 'p+6'],
          ['send', 'p+5', 'parked 2', [], 'p+7'],
          ['subscribe', 'p+5'],
        ],
      },
      comms: { first: [['send', 'arg0', 'forwarded', [], 'result']] },
      dan: { forwarded: [['resolve', ['result', 'presence', 'o+1']]] },
    },
  },
  {
    title:
      'a pipelining vat that ends: messages queued for its promises are rejected in their turn',
    pipelining: ['comms'],
    vats: {
      boot: {
        bootstrap: [
          ['send', 'o-50', 'first', [], 'p+5'],
          ['send', 'p+5', 'parked 1', [], 'p+6'],
          ['subscribe', 'p+6'],
          ['send', 'p+5', 'parked 2', [], 'p+7'],
          ['subscribe', 'p+7'],
          ['send', 'o-51', 'other', [], null],
        ],
      },
      comms: { 'parked 1': [['exit', false]] },
      dan: {},
    },
  },
  {
    title: 'a subscription to a promise that the same crank settles afterwards is told',
    vats: {
      boot: {
        bootstrap: [
          ['send', 'o-50', 'listen', ['p+5'], null],
          ['send', 'o+0', 'settle', [], null],
        ],
        settle: [
          ['send', 'o-50', 'before', [], null],
          ['resolve', ['p+5', 'presence', 'o+1']],
          ['send', 'o-50', 'behind', [], null],
        ],
      },
      zoe: {
        listen: [
          ['subscribe', 'arg0'],
          ['send', 'arg0', 'to the promise', [], null],
        ],
      },
    },
  },
];

/** @typedef {(...syscall: any) => unknown} Call */

/**
 * The behaviour of a program's vat: a function of a delivery, in vrefs.
 *
 * @param {OrderedProgram} program
 * @param {string} name
 * @param {string[]} log  gets a line for each message and notify
 */
export const reactAsScripted =
  ({ vats }, name, log) =>
  (/** @type {any[]} */ delivery, /** @type {Call} */ call) => {
    if (delivery[0] === 'notify') {
      for (const [promise, isRejected] of delivery[1])
        log.push(`${name} notify ${promise}${isRejected ? ' rejected' : ''}`);
      for (const [promise] of delivery[1]) run(vats[name][`notify ${promise}`] ?? [], {}, call);
    } else if (delivery[0] === 'message') {
      const [, target, { body, slots }, result] = delivery;
      const method = JSON.parse(body.replace(/^#/, ''))[0];
      log.push(`${name} ${method} to ${target}`);
      const names = { target, result, arg0: slots[0], arg1: slots[1] };
      run(vats[name][method] ?? [], names, call);
    }
  };

/**
 * @param {Step[]} steps
 * @param {Record<string, string>} names
 * @param {Call} call
 */
const run = (steps, names, call) => {
  const ref = (/** @type {string} */ name) => names[name] ?? name;
  for (const [kind, ...args] of steps) {
    if (kind === 'send') {
      const [target, method, given, result] = args;
      const slots = given.map(ref);
      call('send', ref(target), capdata(method, slots), result && ref(result));
    } else if (kind === 'resolve') {
      call(
        'resolve',
        args.map(([promise, how, ...given]) => {
          const slots = given.map(ref);
          const data = how === 'presence' ? { body: '#"$0.Alleged: x"', slots } : listOf(slots);
          return [ref(promise), how === 'reject', data];
        }),
      );
    } else if (kind === 'exit') {
      call('exit', args[0], listOf([]));
    } else {
      call(kind, ref(args[0]));
    }
  }
};

/** @param {string[]} slots */
const listOf = slots => ({
  body: `#[${slots.map((slot, i) => `"${slot[0] === 'p' ? '&' : '$'}${i}"`).join()}]`,
  slots,
});

/** @param {string} method @param {string[]} slots */
const capdata = (method, slots) => ({
  body: `#[${JSON.stringify(method)},${listOf(slots).body.slice(1)}]`,
  slots,
});
