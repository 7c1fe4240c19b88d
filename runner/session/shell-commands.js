// The commands of the shell. A command returns its result, as data and as text; the shell prints it.

import { countOf, findNearestName, showInLine, UserError } from '#model';
import { defaultRounds, dumpKernel, readProgress, runRounds, runSome } from '#host';
import { showData } from '#host/explain/show-data.js';
import { describeTables } from '#observe/dump-data.js';

/** @import { Session } from './index.js' */

/** @typedef {{ value: Record<string, unknown>, text: string }} Answer  `value` for programs, `text` for people */

/**
 * @typedef {object} Command
 * @property {string} shown  the name with its arguments
 * @property {string} does
 * @property {number} most  the largest number of arguments, without JSON at the end
 * @property {(args: string[], rest: string) => Answer | Promise<Answer>} run  `rest`: the text
 *   after the arguments
 */

/** A message that the user sent. @typedef {{ number: number, name: string, kref: string | undefined, state: string, shown: string }} Sent */

/** The largest number of items to list. */
const mostQueued = 50;

/** The number of results to keep. */
const mostResults = 1_000;

/**
 * @param {string | undefined} text
 * @param {number} usual
 */
const parseCount = (text, usual) => {
  if (text === undefined || text === '') return usual;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new UserError(`a whole number from 1 is needed, got "${text}"`);
  return number;
};

/** @param {string} text  `"ann", 5` @returns {unknown[]} */
const parseArguments = text => {
  try {
    return JSON.parse(`[${text}]`);
  } catch (error) {
    throw new UserError(
      `the arguments of a message are JSON with commas between, as "ann", 5; got ${showInLine(text, 100)} (${/** @type {Error} */ (error).message})`,
    );
  }
};

/** @param {string[]} lines @param {string} none */
const listed = (lines, none) => (lines.length === 0 ? none : lines.join('\n'));

/**
 * @param {Session} session
 * @param {() => void} leave
 * @returns {Record<string, Command>}
 */
// eslint-disable-next-line max-lines-per-function -- the commands of the shell, each some lines long, under their names
export const makeShellCommands = ({ simulation, blockOptions, settleOutput }, leave) => {
  const options = { ...blockOptions, commitsBlocks: false };

  /** @type {Sent[]} */
  const sent = [];

  /** Read results that have settled, and release their promises. */
  const readSettled = () => {
    for (const each of sent) {
      if (each.kref === undefined) continue;
      const { state, data } = simulation.status(each.kref);
      if (state === 'unresolved') continue;
      each.state = state === 'rejected' ? 'rejected' : 'fulfilled';
      each.shown = data ? showData(data) : state;
      simulation.release(each.kref);
      each.kref = undefined;
    }
  };

  /** @param {Sent} result */
  const showResult = ({ number, name, state, shown }) =>
    `${number} ${name}: ${state === 'pending' ? 'pending' : state === 'rejected' ? `rejected with ${shown}` : shown}`;

  /** @param {Sent} result */
  const valueOf = ({ number, name, state, shown }) => ({
    ...{ number, name, state },
    ...(state !== 'pending' && { shown }),
  });

  /** @param {string[]} args @param {string} rest @returns {Sent} */
  const queueMessage = ([vatName, method], rest) => {
    if (method === undefined)
      throw new UserError('a message needs a vat and a method: send bank balance "ann"');
    const kref = simulation.queueToVatRoot(vatName, method, parseArguments(rest));
    const name = `${vatName}.${method}()`;
    const message = {
      number: (sent.at(-1)?.number ?? 0) + 1,
      name,
      kref,
      state: 'pending',
      shown: '',
    };
    sent.push(message);
    if (sent.length > mostResults) sent.shift();
    return message;
  };

  /** @param {number} maxCranks @returns {Promise<Answer>} */
  const some = async maxCranks => {
    const cranks = await runSome(simulation, { ...options, maxCranks });
    settleOutput();
    readSettled();
    const { isQuiet } = simulation;
    const text = `${countOf(cranks, 'crank')}${isQuiet ? ', nothing is queued' : ''}`;
    return { value: { cranks, isQuiet }, text };
  };

  return {
    run: { shown: 'run', does: 'run until nothing is queued', most: 0, run: () => some(Infinity) },
    step: { shown: 'step', does: 'run one crank', most: 0, run: () => some(1) },
    block: {
      shown: 'block [N]',
      does: 'run N cranks, or a block',
      most: 1,
      run: ([count]) => some(parseCount(count, options.blockSize)),
    },
    benchmark: {
      shown: 'benchmark [N]',
      does: `run N rounds of the benchmark, or ${defaultRounds}`,
      most: 1,
      async run([count]) {
        const { done } = readProgress(simulation.kernel);
        const rounds = done + parseCount(count, defaultRounds);
        await runRounds(simulation, { ...options, rounds, commitsAtEnd: false });
        settleOutput();
        const ran = readProgress(simulation.kernel).done - done;
        return { value: { rounds: ran }, text: `${ran} rounds` };
      },
    },
    call: {
      shown: 'call VAT METHOD [ARGUMENT, …]',
      does: 'send a message, run until nothing is queued, and show the result',
      most: 2,
      async run(args, rest) {
        const message = queueMessage(args, rest);
        const { value } = await some(Infinity);
        return { value: { ...valueOf(message), ...value }, text: showResult(message) };
      },
    },
    send: {
      shown: 'send VAT METHOD [ARGUMENT, …]',
      does: 'queue a message for a vat; arguments are JSON, as "ann", 5',
      most: 2,
      run(args, rest) {
        const message = queueMessage(args, rest);
        return { value: valueOf(message), text: `${message.number} ${message.name} is queued` };
      },
    },
    results: {
      shown: 'results',
      does: 'list the results of messages that were sent here',
      most: 0,
      run() {
        readSettled();
        return {
          value: { results: sent.map(valueOf) },
          text: listed(sent.map(showResult), 'no message was sent here'),
        };
      },
    },
    vats: {
      shown: 'vats',
      does: 'list the vats',
      most: 0,
      run() {
        const vats = simulation.kernel
          .vats()
          .map(({ vatId, name, state }) => ({ vatId, name, state }));
        const lines = vats.map(
          ({ vatId, name, state }) => `${vatId} ${name}${state === 'running' ? '' : ` (${state})`}`,
        );
        return { value: { vats }, text: listed(lines, 'no vats') };
      },
    },
    queue: {
      shown: 'queue',
      does: 'list the queued items',
      most: 0,
      run() {
        const { queue } = describeTables(simulation.kernel);
        const lines = queue.slice(0, mostQueued).map(({ kind, vatId, target, ...item }) => {
          const what = 'methargs' in item && item.methargs ? ` ${showData(item.methargs)}` : '';
          return `${kind} ${[vatId, target].filter(Boolean).join(' ')}${what}`;
        });
        if (queue.length > mostQueued) lines.push(`and ${queue.length - mostQueued} more`);
        return { value: { queue }, text: listed(lines, 'nothing is queued') };
      },
    },
    commit: {
      shown: 'commit',
      does: 'write everything up to here to the database',
      most: 0,
      async run() {
        await simulation.commit();
        return { value: { cranks: simulation.cranks.all }, text: 'committed' };
      },
    },
    dump: {
      shown: 'dump',
      does: 'list vats, objects, promises, c-lists and the queue',
      most: 0,
      run: () => ({
        value: describeTables(simulation.kernel),
        text: dumpKernel(simulation.kernel).trimEnd(),
      }),
    },
    exit: {
      shown: 'exit',
      does: 'leave; uncommitted cranks are lost',
      most: 0,
      run() {
        leave();
        return { value: {}, text: '' };
      },
    },
  };
};

/** Names that other shells have for `exit`. */
const leavingWords = new Set(['quit', 'q', 'bye', 'leave', 'logout']);

/**
 * Parse a line into the command, its arguments, and the rest of the text.
 *
 * @param {string} line
 * @param {Record<string, Command>} commands
 * @returns {{ name: string, args: string[], rest: string } | undefined} undefined for an empty line
 * @throws {UserError} if there is no such command, or it takes fewer arguments
 */
export const parseLine = (line, commands) => {
  const [, name = '', behind = ''] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(line) ?? [];
  if (name === '') return undefined;
  if (!Object.hasOwn(commands, name)) {
    const nearest = leavingWords.has(name) ? 'exit' : findNearestName(name, Object.keys(commands));
    const hint = nearest === undefined ? 'help lists the commands' : `did you mean ${nearest}?`;
    throw new UserError(`there is no command "${showInLine(name, 60)}"; ${hint}`);
  }
  const { most } = commands[name];
  const args = [];
  let rest = behind;
  while (rest !== '' && args.length < most) {
    const [, word, more] = /** @type {RegExpExecArray} */ (/^(\S+)\s*(.*)$/s.exec(rest));
    args.push(word);
    rest = more;
  }
  const takesJson = name === 'send' || name === 'call';
  if (rest !== '' && !takesJson)
    throw new UserError(
      most === 0 ? `${name} takes no argument` : `${name} takes one argument at most`,
    );
  return { name, args, rest };
};

/**
 * The completions at the cursor.
 *
 * @param {string} line
 * @param {{ commands: string[], vats: () => string[] }} names
 * @returns {[found: string[], word: string]} as `readline` takes it
 */
export const completeLine = (line, { commands, vats }) => {
  const words = line.trimStart().split(/\s+/);
  const word = words.at(-1) ?? '';
  const isVat = words.length === 2 && (words[0] === 'send' || words[0] === 'call');
  const known = words.length <= 1 ? commands : isVat ? vats() : [];
  return [known.filter(name => name.startsWith(word)).map(name => `${name} `), word];
};
