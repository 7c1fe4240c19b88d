// Judges whether an attack succeeded, and names the sign of it.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { runsOneWay } from './one-way.js';
import { makeHands, runAttackProcess } from './processes.js';

/** @import { Attack, Hands, Outcome, Ran, Setting } from './attack-types.js' */

/** No command may print these: control characters but for line breaks and tabs, and characters that reorder a line. */
// eslint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** A line of a stack with a file of ours. */
const ourStack = /^\s+at .*\/(packages|runner|stats)\/[\w/-]+\.js:\d+/m;

/**
 * Checks rules that hold for all output of a command.
 *
 * @param {Ran} ran
 */
export const assertDecent = ({ signal, stdout, stderr }) => {
  assert.equal(signal, null, `ended by ${signal}; it said: ${stderr.slice(-500)}`);
  for (const text of [stdout, stderr]) {
    const said = text.slice(0, 2000);
    assert(!text.includes('this is a bug'), said);
    assert(!ourStack.test(text), said);
    assert(!/uncaught|unhandled|triggerUncaughtException/i.test(text), said);
    const found = unsafe.exec(text);
    const code = found?.[0].charCodeAt(0).toString(16);
    assert(
      !found,
      `U+${code} is printed: ${JSON.stringify(text.slice(found?.index).slice(0, 80))}`,
    );
  }
};

/** @param {Ran} ran @param {RegExp} says  what the only line says */
export const assertRefused = (ran, says) => {
  assertDecent(ran);
  assert.match(ran.stderr, /^(?:[^\n]+\n)*swingset-runner: [^\n]+\n$/);
  assert.match(ran.stderr, says);
  assert.equal(ran.code, 2, ran.stderr);
};

/** @param {string} stdout */
const findHash = stdout => /activity hash: ([0-9a-f]{64})/.exec(stdout)?.[1];

const quiet = ['--no-graphs', '--no-logall', '--no-stats', '--activityhash'];

/** @param {Hands} hands @param {Attack} attack */
const programOf = ({ directory }, { config }) => [
  directory,
  ...(config === undefined ? [] : ['--config', path.join(directory, config)]),
  // That the attackers are ended is as it should be.
  '--allow-failed-vats',
];

/** @param {Hands} hands @param {Attack} attack */
const argumentsOf = (hands, attack) => [
  ...programOf(hands, attack),
  ...(attack.rounds === undefined ? [] : ['--benchmark', String(attack.rounds)]),
  ...quiet,
];

/**
 * Checks that vats see the same on every Node: a file of the attack keeps it.
 *
 * @param {string} directory
 * @param {Outcome} outcome
 */
const compareWithKept = (directory, { log }) => {
  const file = path.join(directory, 'log.json');
  if (process.env.SWINGSET_RUNNER_KEEP_LOGS === '1')
    fs.writeFileSync(file, `${JSON.stringify(log, undefined, 2)}\n`);
  const kept = JSON.parse(fs.readFileSync(file, 'utf8'));
  assert.deepEqual(log, kept, `what vats see on Node ${process.version} is not what is kept`);
};

/**
 * Checks that a process that ran attacks printed nothing by itself, and was not ended by any.
 *
 * @param {Ran} ran
 */
export const judgeEnd = ran => {
  assertDecent(ran);
  assert.equal(ran.stdout + ran.stderr, '', 'what a host prints by itself');
};

/** @param {Attack} attack @param {Outcome} outcome */
const judgeOutcome = (attack, outcome) => {
  const { ends = [], mayEnd = [], check = () => {} } = attack;
  const ended = outcome.ended.filter(name => !mayEnd.includes(name));
  assert.deepEqual(ended, ends, `vats that were ended: ${outcome.log.join('\n')}`);
  assert.deepEqual(outcome.audit, []);
  check(outcome);
};

/** @param {Hands} hands @param {Attack} attack @param {string} [hash] */
const judgeCommand = async (hands, attack, hash) => {
  const args = argumentsOf(hands, attack);
  const watched = ['--verbose', '--slog', 'run.slog', '--trace', 'trace.json'];
  const ran = await hands.swingsetRunner([...args, '--memdb', ...watched]);
  if (attack.refused) {
    assertRefused(ran, attack.refused);
    return;
  }
  assertDecent(ran);
  assert.equal(ran.code, attack.exitCode ?? 0, ran.stderr.slice(0, 2000));
  const shown = findHash(ran.stdout.split('\n').reverse().join('\n'));
  if (hash !== undefined) assert.equal(shown, hash, 'the hash of the command that watches all');
  for (const line of fs.readFileSync(path.join(hands.work, 'run.slog'), 'utf8').trim().split('\n'))
    JSON.parse(line);
  JSON.parse(fs.readFileSync(path.join(hands.work, 'trace.json'), 'utf8'));
};

/**
 * @param {Hands} hands
 * @param {Attack} attack
 * @param {Setting[]} settings
 * @param {string} hash
 */
const judgeSettings = async (hands, attack, settings, hash) => {
  const args = argumentsOf(hands, attack);
  // One of them shows that the engine heeds it.
  for (const setting of runsOneWay ? settings.slice(0, 1) : settings) {
    const whole = await hands.swingsetRunner([...args, '--memdb'], setting);
    assertDecent(whole);
    assert.equal(findHash(whole.stdout), hash, `the hash under ${JSON.stringify(setting)}`);
  }
  // A resumed run replays what the whole one does, so one engine is enough for it.
  if (settings.length === 0 || runsOneWay) return;
  const outputTo = (/** @type {string} */ folder) => ['--outdir', folder, '--blocksize', '5'];
  const batch = ['batch', ...programOf(hands, attack), ...outputTo('begun')];
  const begun = await hands.swingsetRunner([...batch, '--init', '--batchsize', '8']);
  assertDecent(begun);
  assert.equal(begun.code, 0, begun.stderr);
  for (const [index, setting] of settings.entries()) {
    const folder = `resumed${index}`;
    fs.cpSync(path.join(hands.work, 'begun'), path.join(hands.work, folder), { recursive: true });
    const resumed = await hands.swingsetRunner([...args, ...outputTo(folder), '--resume'], setting);
    assertDecent(resumed);
    const where = `resumed under ${JSON.stringify(setting)}: ${resumed.stderr}`;
    assert.equal(findHash(resumed.stdout), hash, where);
  }
};

/**
 * @param {string} directory
 * @param {Attack} attack
 * @param {string} work  an empty directory
 * @param {object} options
 * @param {boolean} options.isWhole  whether an attack that runs in memory is tried in other processes, too
 * @throws if the attack succeeded in anything
 */
export const judgeAttack = async (directory, attack, work, { isWhole }) => {
  const hands = makeHands(directory, attack, work);
  const { inProcess = true, command = true, hosts = {}, hostCodes = {}, settings = [] } = attack;
  /** @type {string | undefined} */
  let hash;
  if (inProcess) {
    const { ran, outcomes, refusal, failure } = await runAttackProcess(directory, attack);
    judgeEnd(ran);
    assert.equal(failure, undefined);
    if (attack.refused) assert.match(refusal ?? 'not refused', attack.refused);
    else assert.equal(refusal, undefined);
    for (const outcome of outcomes ?? []) judgeOutcome(attack, outcome);
    if (attack.keepsLog && outcomes) compareWithKept(directory, outcomes[0]);
    for (const profile of ['current', '2020-09']) {
      const its = (outcomes ?? []).filter(
        ({ way }) => way.startsWith('2020') === (profile !== 'current'),
      );
      if (its.length === 0) continue;
      const hashes = Object.fromEntries(its.map(each => [each.way, each.activityHash]));
      const logs = its.map(({ log }) => log);
      assert.equal(new Set(Object.values(hashes)).size, 1, JSON.stringify(hashes));
      for (const log of logs) assert.deepEqual(log, logs[0]);
      if (profile === 'current') hash = its[0].activityHash;
    }
  }
  if (inProcess && !isWhole) return;
  if (command && !(runsOneWay && inProcess)) await judgeCommand(hands, attack, hash);
  await judgeSettings(hands, attack, settings, hash ?? '');
  for (const [file, check] of Object.entries(hosts)) {
    const ran = await hands.node(file);
    assertDecent(ran);
    assert.equal(ran.code, hostCodes[file] ?? 0, ran.stderr.slice(0, 2000));
    check(ran);
  }
  if (!runsOneWay || attack.moreOnEachNode !== false) await attack.more?.(hands);
};
