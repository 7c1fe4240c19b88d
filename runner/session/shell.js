// The shell: the user runs cranks, sends messages, inspects the state, and commits. Only the
// command `commit` commits. With --json the answer to each line is a line of JSON.

import { createInterface } from 'node:readline';
import { countOf, UserError } from '#model';
import { completeLine, makeShellCommands, parseLine } from './shell-commands.js';

/** @import { Session } from './index.js' */
/** @import { Answer, Command } from './shell-commands.js' */

/** @param {Record<string, Command>} commands */
const describeCommands = commands => {
  const list = Object.values(commands);
  const width = Math.max(...list.map(({ shown }) => shown.length));
  return list.map(({ shown, does }) => `  ${shown.padEnd(width)}  ${does}`).join('\n');
};

/** A line of JSON; a number that JSON cannot express is null. @param {unknown} value */
const lineOf = value =>
  JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? Number(each) : each));

/** @param {Session} session */
export const runShell = async session => {
  const { simulation, screen } = session;
  /** @type {Record<string, Command>} */
  const commands = {
    ...makeShellCommands(session, () => lines.close()),
    help: {
      shown: 'help',
      does: 'show this',
      most: 0,
      run: () => ({ value: { commands: Object.keys(commands) }, text: describeCommands(commands) }),
    },
  };
  const names = Object.keys(commands);
  const isTerminal = Boolean(process.stdin.isTTY && process.stdout.isTTY);
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    terminal: isTerminal,
    prompt: isTerminal ? `${simulation.profile}> ` : '',
    completer: (/** @type {string} */ line) =>
      completeLine(line, {
        commands: names,
        vats: () => simulation.kernel.vats().map(({ name }) => name),
      }),
  });
  let isBusy = false;
  // On a terminal Ctrl-C is a key: it stops the current command, or leaves the shell.
  lines.on('SIGINT', () => {
    if (isBusy) process.emit('SIGINT');
    else lines.close();
  });
  let committed = simulation.cranks.all;

  /** @param {string} name @param {Answer} answer */
  const say = (name, { value, text }) => {
    if (screen.isJson) screen.print(`${lineOf({ command: name, ...value })}\n`, { isResult: true });
    else if (text !== '') screen.print(`${text}\n`);
  };

  /** @param {string} line @returns {Promise<() => void>} says the answer */
  const obey = async line => {
    const parsed = parseLine(line, commands);
    if (parsed === undefined) return () => {};
    const { name, args, rest } = parsed;
    const answer = await commands[name].run(args, rest);
    if (name === 'commit') committed = simulation.cranks.all;
    return () => say(name, answer);
  };

  const leaveAtSignal = () =>
    session.interrupts.rest(() => {
      process.exitCode = session.interrupts.exitCode;
      lines.close();
    });
  leaveAtSignal();
  if (isTerminal) screen.print('help lists the commands; nothing is committed until commit\n');
  lines.prompt();
  for await (const line of lines) {
    let sayAnswer = () => {};
    try {
      isBusy = true;
      // In raw mode Ctrl-C is a key and sends no signal, which would be needed to end a crank that
      // never ends.
      if (isTerminal) process.stdin.setRawMode(false);
      session.interrupts.reset();
      sayAnswer = await obey(line);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      screen.tell(error.message);
      if (screen.isJson)
        screen.print(`${lineOf({ error: { message: error.message } })}\n`, { isResult: true });
    } finally {
      isBusy = false;
      leaveAtSignal();
      if (isTerminal) process.stdin.setRawMode(true);
    }
    sayAnswer();
    lines.prompt();
  }
  const lost = simulation.cranks.all - committed;
  if (lost > 0)
    screen.tell(
      `${countOf(lost, 'crank')} since the last commit ${lost === 1 ? 'is' : 'are'} lost`,
    );
};
