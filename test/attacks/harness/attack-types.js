// The declaration of an attack. Every field has a default that most attacks keep.

/**
 * The outcome of one run.
 *
 * @typedef {object} Outcome
 * @property {string} way  `memory`, `watched`, `resumed` or `2020-09 memory`, …
 * @property {string} activityHash
 * @property {string[]} log  what vats printed, as `NAME: TEXT`
 * @property {string[]} errors  what the observer was told, as `NAME: ERROR` on one line; empty where nobody watches
 * @property {string[]} ended  names of vats that were ended, in the order of their numbers
 * @property {string} bootstrap  how the result of bootstrap() settled: `fulfilled BODY`, `rejected BODY`, `pending`
 * @property {string[]} rounds  the same of each round's result
 * @property {number} cranks
 * @property {string[]} audit  what an audit finds wrong in the state that is left
 */

/** @typedef {{ code: number | null, signal: string | null, stdout: string, stderr: string }} Ran */

/**
 * A setting of the machine that must change nothing: the command runs whole under it, and resumes under it a state that
 * was begun without it.
 *
 * @typedef {object} Setting
 * @property {Record<string, string>} [env]
 * @property {string[]} [node]  flags of Node
 */

/**
 * Signals for a command that runs.
 *
 * @typedef {object} Signals
 * @property {{ afterMs: number, signal: NodeJS.Signals }[]} [signals]  counted from when the process prints
 *   something for the first time
 */

/**
 * For a check of an attack's own that runs commands.
 *
 * @typedef {object} Hands
 * @property {string} directory  of the attack
 * @property {string} work  an empty directory, removed afterwards
 * @property {(args: string[], setting?: Setting & Signals) => Promise<Ran>} swingsetRunner  runs the command in `work`
 * @property {(file: string, args?: string[], setting?: Setting) => Promise<Ran>} node  runs a program of the attack's
 *   directory in `work`
 */

/**
 * @typedef {object} Attack
 * @property {string} [stillWorks]  why the cure has not landed. The suite fails once the attack fails: take the mark off
 *   with the cure
 * @property {string} [notOn]  a range of Node's major versions, `>=24` or `<24`, on which a marked attack fails already
 * @property {('current' | '2020-09')[]} [profiles]  default: current
 * @property {string} [config]  a file of the directory; default: swingset.json or bootstrap.js and vat-NAME.js
 * @property {number} [rounds]  of `runBenchmarkRound()`, where bootstrap has it
 * @property {string[]} [ends]  vats that must be ended; default none
 * @property {string[]} [mayEnd]  vats of which nobody minds whether they are ended
 * @property {number} [exitCode]  of the command; default 0
 * @property {RegExp} [refused]  the run must be refused with a line like this, and exit code 2
 * @property {boolean} [inProcess]  default true; false: no ways but those that `more` has
 * @property {boolean} [command]  default true: run the command, watched by everything there is
 * @property {number} [blockSize]  cranks after which the way `resumed` stops and resumes; default 5, more in
 *   a run that would be resumed over 8 times
 * @property {number} [timeoutMs]  for each process; default 180,000
 * @property {boolean} [keepsLog]  what vats print must be what log.json keeps, on every Node;
 *   `SWINGSET_RUNNER_KEEP_LOGS=1` writes it anew
 * @property {Setting[]} [settings]
 * @property {(outcome: Outcome) => void} [check]  throws (`node:assert`) if the attack succeeded; called for each way
 * @property {Record<string, (ran: Ran) => void>} [hosts]  host programs of the directory, each run in a process of its
 *   own; the check throws if the attack succeeded. Exit code 0 is checked before, unless `hostCodes` says otherwise
 * @property {Record<string, number>} [hostCodes]
 * @property {(hands: Hands) => Promise<void>} [more]  throws if the attack succeeded
 * @property {boolean} [moreOnEachNode]  default true; false: the engine makes no difference to `more`, so it does not run
 *   where the suite runs each attack in one way alone
 */

export {};
