// The fixtures and published tables, read from test/.

import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { translateVat } from './translate-vat.js';

/** @typedef {import('./report.js').Expected} Expected */
/** @typedef {import('./trace.js').Step} Step */

const here = new URL('../', import.meta.url);

/** @param {string} path  under test/ */
const read = path => fs.readFileSync(new URL(path, here), 'utf8');

/**
 * @typedef {Expected & {
 *   id: string,
 *   command: string,
 *   log: string[],
 *   logLinesBeforeStats: number,
 *   modernSwingSetLog: true | 'same lines, other order' | null,
 *   program: { seed: number, vats: string[] },
 * }} Conformance
 */

/** @returns {Conformance[]} in the order of their numbers */
export const loadConformance = () =>
  fs
    .readdirSync(new URL('fixtures/conformance/', here))
    .filter(name => /^\d+$/.test(name))
    .sort()
    .map(name => JSON.parse(read(`fixtures/conformance/${name}/expected.json`)));

/** Where the programs are written whole: a folder of this process. */
const wholes = fs.mkdtempSync(join(tmpdir(), 'swingset-conformance-'));
process.once('exit', () => fs.rmSync(wholes, { recursive: true }));

/**
 * A vat's source as SwingSet ran it on 2020-09-30. Stored is the part that differs; all else is in `frame.js`.
 *
 * @param {string} part
 * @param {string} name  of the vat
 */
const completeVat = (part, name) =>
  read('fixtures/conformance/frame.js')
    .replace('NAME', name)
    .replace('  /* the part of its own */\n', () => part);

/**
 * A folder with a conformance program. In today's API a vat imports `Far`, and its root and its things are made by it.
 *
 * @param {string} id  of the program
 * @param {'2020' | 'current'} generation  in which API
 * @returns {string} its path
 */
export const conformanceDirectory = (id, generation) => {
  const directory = join(wholes, generation, id);
  if (fs.existsSync(directory)) return directory;
  fs.mkdirSync(directory, { recursive: true });
  const parts = `fixtures/conformance/${id}/2020`;
  for (const file of fs.readdirSync(new URL(parts, here))) {
    const name = file.replace(/^vat-|\.js$/g, '');
    const text = completeVat(read(`${parts}/${file}`), name);
    fs.writeFileSync(
      join(directory, file),
      generation === '2020' ? text : translateVat(text, name),
    );
  }
  return directory;
};

/**
 * @typedef {Expected & { command: string, ns: number }} PublishedDemo
 * @typedef {{ setup: Expected, benchmark: NonNullable<Expected['benchmark']>, finishedCranks: number, ns: number }} PublishedBenchmark
 * @returns {{ demos: PublishedDemo[], benchmarks: Record<string, PublishedBenchmark> }}
 */
export const loadPublished = () => JSON.parse(read('reference/swingset-2020-09-30.json'));

/** Demos whose folder here has another name. */
const renamed = new Map([['pingPongBenchmark', 'pingpong']]);

/**
 * Parses a published command line: `bin/runner --init --stats run demo/megaPong -- 20`.
 *
 * @param {string} command
 */
export const parseCommand = command => {
  const found = / demo\/(\w+)/.exec(command);
  if (!found) throw TypeError(`"${command}" names no demo`);
  const [, name] = found;
  const argv = command.split(' -- ')[1]?.split(' ') ?? [];
  return { name, folder: renamed.get(name) ?? name, argv };
};

/**
 * Parses a trace's name: `megaPong_20` is megaPong with the argument 20.
 *
 * @param {string} trace
 */
export const parseTraceName = trace => {
  const [name, ...argv] = trace.split('_');
  return { folder: renamed.get(name) ?? name, argv };
};

/** @param {string} folder */
export const demoDirectory = folder => new URL(`../demos/${folder}`, here).pathname;

/** @type {(folder: string, file: string) => string} */
export const readDemo = (folder, file) => read(`../demos/${folder}/${file}`);

/** A folder with one of them can be run; others are shared by demos. */
const mainFiles = ['bootstrap.js', 'swingset.json'];

/** @returns {string[]} every demo, by name */
export const listDemos = () =>
  fs
    .readdirSync(new URL('../demos/', here), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name)
    .filter(name => mainFiles.some(file => fs.existsSync(`${demoDirectory(name)}/${file}`)))
    .sort();

/** @returns {string[]} */
export const listTraces = () =>
  fs
    .readdirSync(new URL('reference/traces/', here))
    .map(name => name.replace(/\.jsonl$/, ''))
    .sort();

/**
 * @param {string} name  as in `listTraces()`
 * @returns {Step[]}
 */
export const loadTrace = name =>
  read(`reference/traces/${name}.jsonl`)
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));

/** @returns {string[]} the programs of our own, by name */
export const listPrograms = () =>
  fs
    .readdirSync(new URL('fixtures/programs/', here), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name)
    .sort();

/** @param {string} name */
export const programDirectory = name => new URL(`fixtures/programs/${name}`, here).pathname;

/** Programs of our own with benchmark rounds, and how many are run. */
export const programRounds = new Map([
  ['dropped-objects', 5],
  ['resend-resolved', 5],
  ['unsettled-rounds', 6],
]);
