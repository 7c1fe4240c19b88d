// Makes completion scripts for shells from the tables of commands and flags.

import yargs from 'yargs';
import { didYouMean, quote, UserError } from '#model';
import { loadCommands } from '../cli.js';
import { commonFlags } from '../flags.js';
import { quoteAlways } from './shell-text.js';

/** @typedef {{ name: string, describe: string, choices: string[], isToggle: boolean }} CompletedFlag */

/** @typedef {{ name: string, describe: string, flags: CompletedFlag[] }} CompletedCommand */

/** @param {import('yargs').Options} option @param {string} name @returns {CompletedFlag} */
const describeFlag = ({ describe = '', choices = [], type }, name) => ({
  ...{ name, describe, choices: choices.map(String), isToggle: type === 'boolean' },
});

/** @returns {Promise<CompletedCommand[]>} all commands, with their flags */
export const describeCommands = async () => {
  const commands = await loadCommands();
  return Object.entries(commands).map(([name, { describe, builder }]) => {
    const parser = yargs([]);
    /** @type {Record<string, import('yargs').Options>} */
    const taken = { ...commonFlags };
    // The builder calls `options` and `option` with its flags; record them.
    const recorder = new Proxy(parser, {
      get:
        (_target, method) =>
        (/** @type {any[]} */ ...args) => {
          if (method === 'options') Object.assign(taken, args[0]);
          if (method === 'option') taken[args[0]] = args[1];
          return recorder;
        },
    });
    builder(recorder);
    const flags = Object.entries(taken).map(([flag, option]) => describeFlag(option, flag));
    return { name, describe, flags };
  });
};

/** Escapes `[`, `]` and `:`, which are special in a zsh specification. @param {string} text */
const inBrackets = text => text.replace(/[[\]:\\]/g, '\\$&');

const program = 'swingset-runner';

/** @param {CompletedCommand[]} commands */
const forBash = commands => {
  const cases = commands.map(
    ({ name, flags }) =>
      `    ${name}) flags=${quoteAlways(flags.map(flag => `--${flag.name}`).join(' '))} ;;`,
  );
  const choices = new Map(
    commands
      .flatMap(({ flags }) => flags)
      .filter(flag => flag.choices.length > 0)
      .map(flag => [flag.name, flag.choices]),
  );
  const values = [...choices].map(
    ([name, list]) =>
      `    --${name}) COMPREPLY=($(compgen -W ${quoteAlways(list.join(' '))} -- "$word")); return ;;`,
  );
  return `# Completion of ${program} for bash: source this file from ~/.bashrc.
_swingset_runner() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command=run flags each
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$each" in
      ${commands.map(({ name }) => name).join('|')}) command="$each"; break ;;
    esac
  done
  case "$before" in
${values.join('\n')}
  esac
  case "$command" in
${cases.join('\n')}
  esac
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W ${quoteAlways(commands.map(({ name }) => name).join(' '))} -- "$word") $(compgen -d -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _swingset_runner ${program}
`;
};

/** @param {CompletedFlag} flag */
const zshFlag = ({ name, describe, choices, isToggle }) => {
  const value = isToggle
    ? ''
    : choices.length > 0
      ? `:${name}:(${choices.join(' ')})`
      : `:${name}:_files`;
  return `        ${quoteAlways(`--${name}[${inBrackets(describe)}]${value}`)}`;
};

/** @param {CompletedCommand[]} commands */
const forZsh = commands => `#compdef ${program}
# Completion of ${program} for zsh: put this file as _${program} into a directory of $fpath.
_swingset_runner() {
  local -a commands
  commands=(
${commands.map(({ name, describe }) => `    ${quoteAlways(`${name}:${describe.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  local command=run each
  for each in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n "\${commands[(r)$each:*]}" ]]; then command="$each"; break; fi
  done
  if (( CURRENT == 2 )) && [[ "$words[CURRENT]" != -* ]]; then
    _describe command commands
    _files -/
    return
  fi
  case "$command" in
${commands
  .map(
    ({ name, flags }) => `    ${name})
      _arguments \\
${flags.map(zshFlag).join(' \\\n')} \\
        '*:file:_files' ;;`,
  )
  .join('\n')}
  esac
}
if [[ "$funcstack[1]" == _swingset_runner || "$funcstack[1]" == _${program} ]]; then
  _swingset_runner "$@"
else
  compdef _swingset_runner ${program}
fi
`;

/** @param {string} text */
const quotedForFish = text => `'${text.replace(/['\\]/g, '\\$&')}'`;

/** @param {CompletedCommand[]} commands */
const forFish = commands => {
  const names = commands.map(({ name }) => name).join(' ');
  const lines = commands.flatMap(({ name, describe, flags }) => [
    `complete -c ${program} -n __fish_use_subcommand -a ${name} -d ${quotedForFish(describe)}`,
    ...flags.map(flag => {
      const where =
        name === 'run'
          ? `not __fish_seen_subcommand_from ${names.replace(/\brun\b ?/, '')}`
          : `__fish_seen_subcommand_from ${name}`;
      const value = flag.isToggle
        ? ''
        : flag.choices.length > 0
          ? ` -x -a ${quotedForFish(flag.choices.join(' '))}`
          : ' -r';
      return `complete -c ${program} -n ${quotedForFish(where)} -l ${flag.name}${value} -d ${quotedForFish(flag.describe)}`;
    }),
  ]);
  return `# Completion of ${program} for fish: put this file into ~/.config/fish/completions.
${lines.join('\n')}
`;
};

/** @type {Readonly<Record<string, (commands: CompletedCommand[]) => string>>} */
const writers = Object.freeze({ bash: forBash, zsh: forZsh, fish: forFish });

/**
 * @param {string} shell
 * @param {CompletedCommand[]} commands
 * @returns {string} the script
 * @throws {UserError} if the shell is unknown
 */
export const writeCompletion = (shell, commands) => {
  const names = Object.keys(writers);
  if (!Object.hasOwn(writers, shell))
    throw new UserError(
      `there is no completion for ${quote(shell)}; there are ${names.join(', ')}${didYouMean(shell, names)}`,
    );
  return writers[shell](commands);
};
