// The folder of a matrix: what it takes over, and what it refuses.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { UserError } from '#model';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { listFiles, runFiles } from '../files.js';
import { openFolder } from '../folder.js';

const identity = { matrix: 'demos', commit: 'abc' };

/** @param {string} name */
const resultOf = name => ({
  ...{ name, demo: name, argv: [], forceGc: false, madeAt: '', commit: 'abc', noise: 'idle' },
  ...{ totalNs: 1, setupNs: 1, setupCranks: 1, rounds: 0, failedRounds: 0 },
  ...{ forced: { count: 0, ns: 0 }, reaps: { count: 0, ns: 0 } },
  ...{ heapBytes: 1, diskBytes: 1, activityHash: 'ff' },
});

/** @param {string} dir @param {Partial<Parameters<typeof openFolder>[1]>} [options] */
const open = (dir, options) => openFolder(dir, { identity, discards: false, ...options });

/** A folder with the files and the result of one run. @param {import('ava').ExecutionContext} t */
const makeFull = t => {
  const dir = temporaryDirectory(t);
  for (const file of listFiles(runFiles('one'))) writeFileSync(join(dir, file), '');
  const empty = temporaryDirectory(t);
  const folder = open(empty);
  folder.add(resultOf('one'));
  writeFileSync(join(dir, 'matrix.json'), readFileSync(join(empty, 'matrix.json')));
  return dir;
};

test('a folder that is opened again has the results of its complete runs', t => {
  const dir = makeFull(t);
  t.deepEqual(
    open(dir)
      .list()
      .map(({ name }) => name),
    ['one'],
  );
  rmSync(join(dir, runFiles('one').log));
  t.is(open(dir).find('one'), undefined);
});

test('a folder of another matrix is refused, with each difference', t => {
  const dir = makeFull(t);
  t.throws(() => open(dir, { identity: { matrix: 'demos', commit: 'def' } }), {
    instanceOf: UserError,
    message: /holds the results of another matrix \(commit abc, not def\)/,
  });
});

test('discarding deletes the files of the runs, and keeps others', t => {
  const dir = makeFull(t);
  writeFileSync(join(dir, 'notes.txt'), '');
  t.deepEqual(open(dir, { discards: true }).list(), []);
  t.deepEqual(readdirSync(dir).sort(), ['matrix.json', 'notes.txt']);
});

test('a folder with other things and no results is refused, and nothing is written to it', t => {
  const dir = temporaryDirectory(t);
  writeFileSync(join(dir, 'thesis.tex'), '');
  t.throws(() => open(dir), { message: /holds other things \("thesis.tex"\)/ });
  t.deepEqual(readdirSync(dir), ['thesis.tex']);
});

test('a list of results that is damaged, or of another version, is refused with its name', t => {
  const dir = temporaryDirectory(t);
  const refused = (/** @type {string} */ text, /** @type {RegExp} */ message) => {
    writeFileSync(join(dir, 'matrix.json'), text);
    t.throws(() => open(dir), { instanceOf: UserError, message });
  };
  refused('{', /matrix\.json: cannot be read as JSON/);
  refused('{}', /matrix\.json: is no list of results of this version/);
  refused('{"format":"swingset-runner matrix 1"}', /has no "identity" and "results"/);
});

test('a result that lacks a field does not count', t => {
  const dir = makeFull(t);
  const file = join(dir, 'matrix.json');
  const contents = JSON.parse(readFileSync(file, 'utf8'));
  delete contents.results.one.activityHash;
  writeFileSync(file, JSON.stringify(contents));
  t.is(open(dir).find('one'), undefined);
});

test('a folder that is missing is made with those above it', t => {
  const dir = join(temporaryDirectory(t), 'a/b');
  t.deepEqual(open(dir).list(), []);
  mkdirSync(join(dir, '.hidden'));
  t.notThrows(() => open(dir));
});
