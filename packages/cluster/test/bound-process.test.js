// Processes that end with the one that started them, and the directory of such a process.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const module = new URL('../bound-process.js', import.meta.url).href;

/** @param {number} ms */
const pause = ms => new Promise(resolve => void setTimeout(resolve, ms));

/** @param {number} pid */
const isAlive = pid => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/**
 * A process that has started another one with a directory, and that one's id.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {string} seconds  that it sleeps
 */
const start = async (t, seconds) => {
  const dir = path.join(temporaryDirectory(t), "it's one; $(two)");
  mkdirSync(dir);
  writeFileSync(path.join(dir, 'file'), 'x');
  const code = `
    import { startBoundProcess } from ${JSON.stringify(module)};
    const child = startBoundProcess('sleep', [${JSON.stringify(seconds)}], { dir: process.argv[1] });
    child.once('exit', () => console.log('over'));
    console.log(child.pid);
    setInterval(() => {}, 1000);`;
  const starter = spawn(process.execPath, ['--input-type=module', '-e', code, dir]);
  t.teardown(() => starter.kill('SIGKILL'));
  let said = '';
  starter.stdout.setEncoding('utf8').on('data', text => {
    said += text;
  });
  while (!said.includes('\n')) await pause(10);
  return { dir, starter, pid: parseInt(said, 10), said: () => said };
};

if (process.platform !== 'win32') {
  test('a killed process takes its program and the directory with it', async t => {
    const { dir, starter, pid } = await start(t, '1000');
    t.true(isAlive(pid));
    starter.kill('SIGKILL');
    while (isAlive(pid) || existsSync(dir)) await pause(10);
    t.pass();
  });

  test('the directory of a program that ended stays until its process removes it', async t => {
    const { dir, said, starter } = await start(t, '0');
    while (!said().includes('over')) await pause(10);
    await pause(300);
    starter.kill('SIGKILL');
    await pause(300);
    t.true(existsSync(dir));
  });
}
