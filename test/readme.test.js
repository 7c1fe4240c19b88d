// The READMEs are correct: the output of the first screen, every example, every link and every command line.

import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';

const root = join(import.meta.dirname, '..');
const read = (/** @type {string} */ file) => fs.readFileSync(join(root, file), 'utf8');

const documents = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
  cwd: root,
})
  .toString()
  .trim()
  .split('\n')
  .filter(file => fs.existsSync(join(root, file)));

/**
 * @param {string} text
 * @param {string} language
 * @returns {string[]}
 */
const blocks = (text, language) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code]) => code,
  );

/** Durations differ from run to run, and nothing else. @param {string} line */
const withoutTimes = line => line.replace(/[\d,.]+ (ns|µs|ms|s)\b/g, 'TIME').trimEnd();

/** Where the machine is slow, a line every two seconds says how far a run has come. @param {string} line */
const isProgress = line => /^(setup: \d+ cranks|round \d+ of .* left|drawing)$/.test(line);

/**
 * The first line of `shown` that is not in `actual`, in that order and without a gap but where `…` stands.
 *
 * @param {string[]} shown
 * @param {string[]} actual
 */
const findMissing = (shown, actual) => {
  let at = 0;
  let mayJump = true;
  for (const line of shown) {
    if (line === '…') {
      mayJump = true;
    } else {
      const found = mayJump ? actual.indexOf(line, at) : actual[at] === line ? at : -1;
      if (found < 0) return line;
      at = found + 1;
      mayJump = false;
    }
  }
  return undefined;
};

/**
 * A folder where `demos/…` is there, as in the project, and where anything may be written.
 *
 * @template T
 * @param {(directory: string) => Promise<T>} act
 */
const inWorkFolder = async act => {
  const directory = fs.mkdtempSync(join(tmpdir(), 'swingset-readme-'));
  for (const name of ['demos', 'examples']) fs.symlinkSync(join(root, name), join(directory, name));
  try {
    return await act(directory);
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
};

test('the first screen shows what the demo prints', async t => {
  const [block] = blocks(read('README.md'), 'console');
  const [command, ...shown] = block.trimEnd().split('\n');
  t.is(command, '$ npm ci && npm run demo');
  const script = JSON.parse(read('package.json')).scripts.demo;
  const [, flags] = /^node (.+) runner\/main\.js demos\/pingpong$/.exec(script) ?? [];
  t.is(flags, '--v8-pool-size=1');

  const main = join(root, 'runner/main.js');
  const demo = `"${process.execPath}" ${flags} "${main}" demos/pingpong 2>&1`;
  const { stdout } = await inWorkFolder(cwd => promisify(execFile)('sh', ['-c', demo], { cwd }));
  const lines = stdout.split('\n').filter(line => !isProgress(line));
  const actual = lines.map(withoutTimes);
  t.is(findMissing(shown.map(withoutTimes), actual), undefined);
});

test('the vats in demos/README.md behave as described', async t => {
  const text = read('demos/README.md');
  const [block] = blocks(text, 'console');
  const [command, ...shown] = block.trimEnd().split('\n');
  const output = await inWorkFolder(async cwd => {
    fs.mkdirSync(join(cwd, 'my-vats'));
    for (const code of blocks(text, 'javascript')) {
      const name = /^\/\/ (.+)\n/.exec(code)?.[1] ?? '';
      fs.writeFileSync(join(cwd, 'my-vats', name), code);
    }
    const args = command.replace('$ swingset-runner ', '').split(' ');
    const main = join(root, 'runner/main.js');
    return promisify(execFile)(process.execPath, [main, ...args], { cwd });
  });
  t.is(findMissing(shown, output.stdout.split('\n')), undefined);
});

/** Starts the vat of an example. */
const startVat = `
  import { testVat } from 'swingset-runner/testing';
  const { close } = await testVat('vat-example.js');
  await close();
`;

for (const document of documents) {
  for (const [i, code] of blocks(read(document), 'js').entries()) {
    test(`example ${i + 1} of ${document} prints what it says`, async t => {
      // Imports are those of a module in the document's folder; paths are those of the work folder.
      const cwd = join(root, dirname(document));
      const failure = [...code.matchAll(/\/\/ UserError: (.+)$/gm)].map(([, text]) => text)[0];
      const { stdout, stderr } = await inWorkFolder(directory => {
        const isVat = code.includes('export const buildRootObject');
        if (isVat) fs.writeFileSync(join(directory, 'vat-example.js'), code);
        const program = `process.chdir(${JSON.stringify(directory)});\n${isVat ? startVat : code}`;
        const args = ['--input-type=module', '--eval', program];
        const running = promisify(execFile)(process.execPath, args, { cwd });
        return failure === undefined ? running : running.catch(error => error);
      });
      t.true(stderr.includes(failure ?? ''), stderr);
      const printed = stdout.split('\n');
      for (const [, said] of code.matchAll(/console\.log\(.*\);? \/\/ (.+)$/gm)) {
        t.true(printed.includes(said), `${said} in ${stdout}`);
      }
    });
  }
}

test('the reference agrees with the program', async t => {
  const check = [join(root, 'scripts/write-reference.js'), '--check'];
  await t.notThrowsAsync(promisify(execFile)(process.execPath, check, { cwd: root }));
});

test('every link and every named file exists', t => {
  const missing = documents.flatMap(document => {
    const folder = join(root, dirname(document));
    const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]+)(#[^)]*)?\)/g)];
    return links
      .filter(([, target]) => !fs.existsSync(join(folder, target)))
      .map(([, target]) => `${document}: ${target}`);
  });
  t.deepEqual(missing, []);
});

test('tests and scripts named in the documents exist', t => {
  const missing = documents.flatMap(document => {
    const named = [...read(document).matchAll(/(?:npx ava|node) ((?:[\w./-]+\.js\s?)+)/g)];
    return named
      .flatMap(([, files]) => files.trim().split(/\s+/))
      .filter(file => file.includes('/') && !fs.existsSync(join(root, file)))
      .map(file => `${document}: ${file}`);
  });
  t.deepEqual(missing, []);
});

test('benchmarks named in the documents exist', t => {
  const missing = documents.flatMap(document =>
    [...read(document).matchAll(/npm run bench -- (\w+)/g)]
      .filter(([, suite]) => suite !== 'SUITE' && !fs.existsSync(join(root, 'bench', suite)))
      .map(([, suite]) => `${document}: ${suite}`),
  );
  t.deepEqual(missing, []);
});

test('package.json, CHANGELOG and licence agree', t => {
  const { version, license } = JSON.parse(read('package.json'));
  t.true(read('CHANGELOG.md').includes(`\n## ${version}\n`));
  t.is(license, 'Apache-2.0');
  t.true(read('LICENSE').includes('Apache License'));
  t.true(read('LICENSE').includes('Copyright the swingset-runner authors'));
});
