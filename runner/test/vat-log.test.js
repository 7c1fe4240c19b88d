// The vat log is whole, or the run is told that it is not.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { temporaryDirectory } from './run-cli.js';

const module = path.join(import.meta.dirname, '../session/vat-log.js');

const program = `
  const { openVatLog } = await import(process.argv[1]);
  const log = openVatLog(process.argv[2], false);
  for (let i = 0; i < 5_000; i += 1) log.add('line ' + i + ' of the vat');
  try {
    log.close();
  } catch (error) {
    console.log(error.message);
  }`;

const onPosix = process.platform === 'win32' ? test.skip : test;

onPosix('a log that is cut off by the disk is reported, also in its last lines', t => {
  const file = path.join(temporaryDirectory(t), 'vats.log');
  const args = ['--input-type=module', '--eval', program, module, file];
  const whole = spawnSync(process.execPath, args, { encoding: 'utf8' });
  t.is(whole.stdout, '');
  t.is(fs.readFileSync(file, 'utf8').split('\n').length, 5_001);
  // The system writes what fits, and says how much; only the next write fails.
  const command = `trap '' XFSZ; ulimit -f 16 && exec "$@"`;
  const cut = spawnSync('sh', ['-c', command, 'sh', process.execPath, ...args], {
    encoding: 'utf8',
  });
  t.regex(cut.stdout, /^vat log .*vats\.log: cannot write it \(EFBIG: .*\); name another file/);
});
