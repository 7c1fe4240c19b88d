// Puts arguments into the order that yargs needs: flags may stand before the command, the command
// may be missing, and `--forcegc` takes a value only after `=`.

import { flagsWithValue } from './flags.js';

/**
 * @param {string[]} args
 * @param {string[]} commands
 * @returns {{ command: string | undefined, isCommand: boolean, rest: string[] }}  `isCommand`:
 *   whether a command was given
 */
export const arrangeArguments = (args, commands) => {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const own = args.slice(0, end).map(arg => (arg === '--forcegc' ? '--forcegc=block' : arg));
  const at = findPositional(own);
  // Without a command, help describes all of them.
  if (at < 0 && own.some(arg => arg === '--help' || arg === '--version')) {
    return { command: undefined, isCommand: false, rest: args };
  }
  if (at < 0 || !commands.includes(own[at])) {
    return { command: 'run', isCommand: false, rest: [...own, ...args.slice(end)] };
  }
  return {
    command: own[at],
    isCommand: true,
    rest: [...own.slice(0, at), ...own.slice(at + 1), ...args.slice(end)],
  };
};

/** @param {string[]} args @returns {number} the index of the first argument that is neither a flag nor a flag's value, or -1 */
export const findPositional = args => {
  for (let i = 0; i < args.length; i += 1) {
    if (!args[i].startsWith('-') || args[i] === '-') return i;
    const name = args[i].replace(/^--?/, '');
    if (flagsWithValue.has(name)) i += 1;
  }
  return -1;
};
