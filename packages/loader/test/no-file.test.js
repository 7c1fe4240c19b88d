// A source that is there and is no file: the error says what it is.

import test from 'ava';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '#config';
import { writeFiles, sources, withVat } from '#config/test/config-folder.js';
import { bundleVat } from '../bundle/index.js';

const inCircle = /the symbolic links at \S*loop\.js lead in a circle/;

/** @type {Record<string, RegExp>} */
const odd = {
  'loop.js': inCircle,
  'gone.js': /\S*gone\.js is a symbolic link to "nowhere\.js", which is not there/,
  'zero.js': /\S*zero\.js is a device and no file/,
  'pipe.js': /\S*pipe\.js is a pipe and no file/,
  'folder.js': /\S*folder\.js is a directory/,
};

const unix = process.platform === 'win32' ? test.skip : test;

/** @param {Record<string, string>} more */
const write = more => {
  const folder = writeFiles({ ...sources, ...more });
  symlinkSync('loop.js', join(folder, 'loop.js'));
  symlinkSync('nowhere.js', join(folder, 'gone.js'));
  symlinkSync('/dev/zero', join(folder, 'zero.js'));
  execFileSync('mkfifo', [join(folder, 'pipe.js')]);
  mkdirSync(join(folder, 'folder.js'));
  return folder;
};

for (const [file, told] of Object.entries(odd))
  unix(`a source that is ${file} is told to be what it is`, async t => {
    const folder = write({
      'swingset.json': JSON.stringify(withVat({ sourceSpec: `./${file}` })),
      'importer.js': `import './${file}';`,
    });
    const { message } = t.throws(() => loadConfig({ baseDir: folder }), { name: 'UserError' });
    t.regex(message, told);
    t.notRegex(message, /no file \S*\.js|did you mean/);
    const asVat = await t.throwsAsync(bundleVat(join(folder, file)), { name: 'UserError' });
    t.regex(`${asVat?.message}`, told);
    // A path that names a folder means its index.js.
    const imported = await t.throwsAsync(bundleVat(join(folder, 'importer.js')));
    t.regex(`${imported?.message}`, /importer\.js:1: cannot import "\.\/\w+\.js": /);
    t.regex(`${imported?.message}`, told);
  });

unix('a source has the name in an error that a person gave it', async t => {
  const folder = writeFiles({ 'real.js': 'export const = 1;' });
  symlinkSync('real.js', join(folder, 'link.js'));
  await t.throwsAsync(bundleVat(join(folder, 'link.js')), { message: /link\.js:1:14: / });
});

if (process.platform === 'linux')
  test("a file that cannot be read is not shown with the process's number", async t => {
    await t.throwsAsync(bundleVat('/proc/self/mem'), {
      message: '/proc/self/mem cannot be read (EIO); name another file',
    });
  });
