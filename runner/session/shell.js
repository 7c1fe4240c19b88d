// The shell: a person runs cranks, looks, and commits. Nothing is committed until they say so.

import { createInterface } from 'node:readline';
import { findNearestName, UserError } from '#model';
import { defaultRounds, dumpKernel, readProgress, runRounds, runSome } from '#host';

/** @import { Session } from './index.js' */

/**
 * @typedef {object} Command
 * @property {string} shown  with its argument
 * @property {string} does
 * @property {(argument: string) => void | Promise<void>} run
 */

/**
 * @param {string} text
 * @param {number} usual
 */
const parseCount = (text, usual) => {
  if (text === '') return usual;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new UserError(`a whole number from 1 is needed, got "${text}"`);
  }
  return number;
};

/**
 * @param {Session} session
 * @param {() => void} leave
 * @returns {Record<string, Command>}
 */
const makeCommands = ({ simulation, screen, blockOptions, settleOutput }, leave) => {
  const options = { ...blockOptions, commitsBlocks: false };
  const say = (/** @type {string} */ text) => screen.print(`${text}\n`);

  /** @param {number} maxCranks */
  const some = async maxCranks => {
    const ran = await runSome(simulation, { ...options, maxCranks });
    settleOutput();
    say(
      `${ran} ${ran === 1 ? 'crank' : 'cranks'}${simulation.isQuiet ? ', nothing is queued' : ''}`,
    );
  };

  return {
    run: {
      shown: 'run',
      does: 'run until nothing is queued',
      run: () => some(Infinity),
    },
    step: { shown: 'step', does: 'run one crank', run: () => some(1) },
    block: {
      shown: 'block [N]',
      does: 'run N cranks, or a block',
      run: argument => some(parseCount(argument, options.blockSize)),
    },
    benchmark: {
      shown: 'benchmark [N]',
      does: `run N rounds of the benchmark, or ${defaultRounds}`,
      async run(argument) {
        const { done } = readProgress(simulation.kernel);
        const rounds = done + parseCount(argument, defaultRounds);
        await runRounds(simulation, { ...options, rounds, commitsAtEnd: false });
        settleOutput();
        say(`${readProgress(simulation.kernel).done - done} rounds`);
      },
    },
    commit: {
      shown: 'commit',
      does: 'write everything up to here to the database',
      async run() {
        await simulation.commit();
        say('committed');
      },
    },
    dump: {
      shown: 'dump',
      does: 'list vats, objects, promises, c-lists and the queue',
      run: () => screen.print(dumpKernel(simulation.kernel)),
    },
    exit: { shown: 'exit', does: 'leave; what is not committed is lost', run: leave },
  };
};

/** @param {Record<string, Command>} commands */
const describeCommands = commands => {
  const list = [...Object.values(commands), { shown: 'help', does: 'show this' }];
  const width = Math.max(...list.map(({ shown }) => shown.length));
  return list.map(({ shown, does }) => `  ${shown.padEnd(width)}  ${does}\n`).join('');
};

/** @param {Session} session */
export const runShell = async session => {
  const { simulation, screen } = session;
  const commands = makeCommands(session, () => lines.close());
  const names = [...Object.keys(commands), 'help'];
  const isTerminal = Boolean(process.stdin.isTTY && process.stdout.isTTY);
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    terminal: isTerminal,
    prompt: isTerminal ? `${simulation.profile}> ` : '',
    completer: (/** @type {string} */ line) => [
      names.filter(name => name.startsWith(line.trim())),
      line,
    ],
  });
  let isBusy = false;
  // On a terminal Ctrl-C comes as a key: it stops what runs, or leaves.
  lines.on('SIGINT', () => {
    if (isBusy) process.emit('SIGINT');
    else lines.close();
  });
  let committed = simulation.cranks.all;

  /** @param {string} line */
  const obey = async line => {
    const [name, argument = '', ...rest] = line.trim().split(/\s+/);
    if (name === '') return;
    if (name === 'help') {
      screen.print(describeCommands(commands));
      return;
    }
    if (!Object.hasOwn(commands, name)) {
      const nearest = findNearestName(name, names);
      const hint = nearest === undefined ? 'help lists what there is' : `did you mean ${nearest}?`;
      throw new UserError(`there is no command "${name}"; ${hint}`);
    }
    if (rest.length > 0) throw new UserError(`${name} takes one argument at most`);
    await commands[name].run(argument);
    if (name === 'commit') committed = simulation.cranks.all;
  };

  if (isTerminal) screen.print('help lists the commands; nothing is committed until commit\n');
  lines.prompt();
  for await (const line of lines) {
    try {
      isBusy = true;
      // A vat that never ends its crank is ended by a signal, and there is none where Ctrl-C is a key like others.
      if (isTerminal) process.stdin.setRawMode(false);
      session.interrupts.reset();
      await obey(line);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      screen.tell(error.message);
    } finally {
      isBusy = false;
      if (isTerminal) process.stdin.setRawMode(true);
    }
    lines.prompt();
  }
  const lost = simulation.cranks.all - committed;
  if (lost > 0) screen.tell(`${lost} cranks since the last commit are lost`);
};
