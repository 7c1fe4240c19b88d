// Mistakes that newcomers make with the command, and what each is told: one line that says what would be right. None runs
// anything, and none passes in silence.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { UserError } from '#model';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { runCli } from '../../runner/cli.js';

/** @import { ExecutionContext } from 'ava' */

/** Folders of vats by name, with a file or folder of each that is none of a vat. @type {[string, string, Uint8Array?][]} */
const poorFolders = [
  ['nameless', 'vat-.js', Buffer.from('export const buildRootObject = 1;')],
  ['folder', 'vat-b.js'],
  ['noconfig', 'swingset.json'],
  ['latin1', 'vat-a.js', Buffer.from("// fine\nexport const name = 'Ren\xe9';\n", 'latin1')],
  ['utf16', 'swingset.json', Buffer.from('\ufeff{}', 'utf16le')],
];

/**
 * Runs a command that must fail, and returns its error's text. The directories that it names are in a new one.
 *
 * @param {ExecutionContext} t
 * @param {string[]} args  `DIR` stands for the new directory
 * @returns {Promise<string>}
 */
const tell = async (t, args) => {
  const dir = temporaryDirectory(t);
  mkdirSync(join(dir, 'a'));
  mkdirSync(join(dir, 'empty'));
  mkdirSync(join(dir, 'b'));
  mkdirSync(join(dir, 'group/a'), { recursive: true });
  const root = 'export const buildRootObject = () => {};';
  for (const name of ['a', 'group/a']) writeFileSync(join(dir, name, 'bootstrap.js'), root);
  for (const [name, file, bytes] of poorFolders) {
    mkdirSync(join(dir, 'empty', name));
    writeFileSync(join(dir, 'empty', name, 'bootstrap.js'), root);
    if (bytes === undefined) mkdirSync(join(dir, 'empty', name, file));
    else writeFileSync(join(dir, 'empty', name, file), bytes);
  }
  writeFileSync(join(dir, 'file.txt'), 'x');
  const given = args.map(arg => arg.replaceAll('DIR', dir));
  const { argv } = process;
  process.argv = [...argv.slice(0, 2), ...given];
  try {
    await runCli(given);
    return 'nothing was told';
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    t.is(error.exitCode, error.message.includes('cannot be written') ? 1 : 2);
    t.notRegex(error.message, /\n/);
    return error.message;
  } finally {
    process.argv = argv;
  }
};

/** @type {[command: string, told: RegExp][]} */
const mistakes = [
  ['rnu', /no command "rnu"; did you mean "run"\?/],
  ['shel DIR/a', /no command "shel"; did you mean "shell"\?/],
  ['nothere', /no command "nothere"; the commands are init, run/],
  ['demos/pingpon', /no directory "demos\/pingpon"; did you mean "demos\/pingpong"\?/],
  [
    'some/wrong/path',
    /no directory "some\/wrong\/path"; the demos are ("[^"]*", ){4}"[^"]*" and \d+ more$/,
  ],
  ['DIR/b', /has neither "swingset\.json" nor "bootstrap\.js"/],
  ['DIR/file.txt', /is a file; name its folder, or give a config by --config/],
  ['DIR/a DIR/b', /there is one directory at most/],
  ['help rnu', /^there is no command "rnu"; did you mean "run"\?$/],
  ['DIR/a —benchmark 3', /no flag —benchmark: its dash is no hyphen; write --benchmark$/],
  ['DIR/a -benchmark 3', /there is no flag -benchmark; did you mean --benchmark\?/],
  ['DIR/a --benchmark 1 --benchmark 2', /--benchmark is given 2 times; give it once/],
  ['-abc', /^there is no flag -abc; a file or directory of that name is \.\/-abc$/],
  ['DIR/a -zz', /^there is no flag -zz; a file or directory of that name is \.\/-zz$/],
  ['diagram DIR/a -ox.svg', /^there is no flag -ox\.svg; write -o x\.svg$/],
  [
    'diagram DIR/a -o -x.svg',
    /^-o needs a value, and "-x\.svg" looks like a flag; write -o=-x\.svg$/,
  ],
  ['DIR/a --logtag --memdb', /^--logtag needs a value; see swingset-runner --help$/],
  ['DIR/a --help=5', /^--help takes no value, got "5"; write --help$/],
  ['--version=', /^--version takes no value, got ""; write --version$/],
  ['dump ', /^an argument is ""; leave it out, or give the name that belongs there$/],
  ['', /^an argument is ""; leave it out/],
  [
    'DIR/a --slog DIR/x --trace DIR/b/../x',
    /^--slog and --trace both write ".*\/x"; give each a file/,
  ],
  ['DIR/a --vatlog DIR/x --statsfile DIR/x', /^--vatlog and --statsfile both write /],
  [
    'DIR/a --outdir DIR/o --slog DIR/o/stats-a.tsv',
    /^--slog ".*\/stats-a\.tsv": the run writes this file itself; name another file$/,
  ],
  ['DIR/a --outdir DIR/o --vatlog DIR/o/time.png', /^--vatlog .* the run writes this file itself/],
  ['graph time x.tsv -o x.png --label a --label ', /^--label needs a value, got ""; leave it out/],
  ['bench snapshot --demo=', /^--demo needs a value, got ""/],
  [
    'report x.tsv --growth --zeros',
    /^--zeros shows counters of the report, and --growth prints none/,
  ],
  ['report x.slog --parallelism --zeros', /and --parallelism prints none; leave it out$/],
  ['graph time x.tsv -o x.png -o y.png', /^-o is given 2 times; give it once/],
  ['status', /--cluster and --run must be given; see the command's --help/],
  ['DIR/a --benchmrk 3', /did you mean --benchmark\?/],
  ['DIR/a --benchmark x', /--benchmark must be a whole number from 0, got x/],
  ['DIR/a --benchmark', /--benchmark needs a value/],
  ['DIR/a --benchmark=', /--benchmark must be a whole number from 0, got ""/],
  ['DIR/a --dbdir=', /--dbdir needs a value, got ""; leave it out, or give one/],
  ['DIR/group', /cannot be run itself; name its folder that can: "[^"]*\/a"$/],
  ['DIR/empty/nameless', /vat-\.js names no vat; call it "vat-NAME\.js"/],
  ['DIR/empty/folder --memdb', /vat-b\.js is a directory and no file; a vat is made of a file$/],
  ['DIR/empty/latin1 --memdb', /vat-a\.js:2: this line is not UTF-8; save the file as UTF-8$/],
  ['DIR/empty/utf16 --memdb', /swingset\.json is UTF-16; save it as UTF-8$/],
  [
    'DIR/a --memdb --trace DIR/no/t.json',
    /trace ".*" cannot be written \(ENOENT\); name a file in a folder that exists and has room/,
  ],
  [
    'DIR/a --memdb --slog DIR/no/t.slog',
    /--slog cannot be written: ENOENT.*; name a file in a folder that exists and has room/,
  ],
  ['DIR/a --nosuch', /there is no flag --nosuch/],
  ['DIR/a -k', /there is no flag -k/],
  ['DIR/a --profile 2021', /--profile is one of "current", "2020-09", got "2021"/],
  ['DIR/a --durability never', /--durability is one of "commit", "group", "none", got "never"/],
  ['DIR/a --workers lots', /--workers must be "auto" or a whole number/],
  ['DIR/a --until soon', /--until must be a duration like "10 s"/],
  ['DIR/a --config nothere.json', /there is no config file "nothere\.json"/],
  ['DIR/a --resume --memdb', /--memdb keeps no state that --resume could take up/],
  ['DIR/a --init --resume', /--init and --resume exclude each other/],
  ['DIR/a --noinit', /no flag --noinit, which SwingSet's runner has; --resume goes on/],
  ['DIR/a --useXS', /no flag --useXS, which SwingSet's runner has; vats run in this process/],
  ['DIR/a --sqlite', /no flag --sqlite, which SwingSet's runner has; the state is kept in LMDB/],
  ['DIR/a --usexs', /no flag --usexs, .* --workers N/],
  ['DIR/a --usebundlecache', /no flag --usebundlecache, .* always kept in a cache/],
  ['DIR/a --sbench x.js', /no flag --sbench, .* --benchmark N/],
  ['DIR/a --chain', /no flag --chain, .* a chain is not simulated/],
  ['DIR/a --teleslog', /no flag --teleslog, .* --slog FILE/],
  [
    'DIR/a --heap-sampling-interval 5',
    /no flag --heap-sampling-interval, .* --heap-profile-output/,
  ],
  ['graph tiem x.tsv', /no graph of "tiem"; there are time, .* did you mean "time"\?/],
  ['graph time x.tsv', /there is no stats file "x\.tsv"; a run writes one/],
  ['graph', /graph needs a kind and a stats file/],
  ['graph time DIR/file.txt', /graph needs a file to write: -o time\.png/],
  ['graph time DIR/file.txt -o x.bmp', /its name says no format; end it in \.png/],
  ['report nothere', /there is no "nothere"; name a report as JSON/],
  // A file that is there, and gives an error of the disk when it is read.
  ...(process.platform === 'linux'
    ? /** @type {[string, RegExp][]} */ ([
        ['report /proc/self/mem', /mem: the system cannot read or write it; look .* \(EIO\)$/],
        ['compare /proc/self/mem one', /mem: the system cannot read or write it; look .* \(EIO\)$/],
      ])
    : []),
  ['report DIR/file.txt', /is not JSON; report takes what --statsfile writes/],
  ['dump nothere', /there is no database in "nothere"/],
  ['audit DIR/empty', /there is no database in /],
  ['replay DIR/file.txt', /there is no database in /],
  ['compare one', /compare needs two runs: compare one two/],
  ['compare nothere nothere2', /there is no database in "nothere"/],
  ['bench', /bench needs to know which benchmark/],
  ['bench nosuch', /there is no benchmark "nosuch"; there are snapshot, ipc and savina/],
  ['diagram nothere.js', /no file "nothere\.js"; give a module that exports a reactor/],
  ['init DIR/a', /is not empty \("bootstrap\.js"\); name a directory that does not exist yet/],
  ['init DIR/new --template nosuch', /there is no template "nosuch"; there are /],
  ['export', /^export needs the file to write, and may name the run: export run\.state my-vats$/],
  ['import', /^import needs a file that export wrote: import run\.state$/],
  ['slog', /^slog needs a file that a run wrote with --slog FILE: slog run\.slog$/],
  ['completion', /^completion needs the name of a shell: completion bash, zsh or fish$/],
  [
    'DIR/a --max-crank-time 0',
    /--max-crank-time must be a duration .* at least 100 ms, .*, got "0"$/,
  ],
  ['DIR/a --max-crank-time 1ms', /at least 100 ms, at most 104 days, got "1ms"$/],
  ['DIR/a --ver', /^there is no flag --ver; did you mean --verbose or --version\?$/],
  ['DIR/a -x', /^-x means nothing to this command; leave it out$/],
  ['DIR/a --memdb --slog -', /^--slog writes a file, got "-"; only --statsfile and --vatlog /],
  ['DIR/a --memdb --statsfile DIR', /^--statsfile needs the name of a file; .* is a directory$/],
  ['DIR/a --config DIR/b', /^the config ".*\/b" is a directory; name the file in it$/],
  ['DIR/empty/noconfig', /swingset\.json is no file; a config is made of one$/],
  ['compare one.tsv two.tsv --threshold 5', /--threshold is for .*; there is no file "one\.tsv"$/],
  ['import nothere.state', /there is no file "nothere\.state"/],
  ['completion bash zsh', /^completion takes the name of one shell, and "zsh" is one more$/],
  ['compare a b c', /^compare takes two runs or files, and "c" is one more$/],
  ['diagram DIR/file.txt', /file\.txt" is no module by its name; give a \.js or \.mjs file/],
  ['export DIR/x nothere', /there is no database in "nothere"/],
  ['batch DIR/a --batchsize 0', /--batchsize must be a whole number from 1, got 0/],
  ['demo-reports justRepl', /there is no demo "justRepl"; did you mean "justReply"\?/],
];

for (const [command, told] of mistakes) {
  test.serial(`swingset-runner ${command}`, async t => {
    t.regex(await tell(t, command.split(' ')), told);
  });
}
