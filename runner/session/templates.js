// Writes a template into a new directory: runner/templates/NAME, a package.json, and a .gitignore.
// It never overwrites a file.

import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { findNearestName, quote, UserError } from '#model';
import { makeFolder } from '#host/state/cache-dir.js';
import { quoteForShell } from './shell-text.js';

const folder = join(import.meta.dirname, '../templates');

/** The templates with their descriptions. @type {Readonly<Record<string, string>>} */
const templates = Object.freeze({
  vats: 'two vats that send each other messages',
  reactors: 'two reactors with a timer and a connection',
  contract: 'a trade through an escrow that trusts neither side',
  typescript: 'the two vats in TypeScript, with types of their messages',
});

/** Packages that a TypeScript template needs: the types of `E` and `Far`, a type stripper, and the type checker. */
const typeTools = ['@endo/far', 'ts-blank-space', 'typescript'];

/** @param {string} name */
const insistTemplate = name => {
  if (Object.hasOwn(templates, name)) return;
  const nearest = findNearestName(name, Object.keys(templates));
  const hint = nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`;
  throw new UserError(
    `there is no template ${quote(name)}; there are ${Object.keys(templates).map(quote).join(', ')}${hint}`,
  );
};

/** @param {string} target  absolute */
const insistFree = target => {
  const found = statSync(target, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory())
    throw new UserError(`${quote(target)} is a file; name a directory that does not exist yet`);
  const inside = readdirSync(target).filter(entry => entry !== '.git');
  if (inside.length > 0) {
    throw new UserError(
      `${quote(target)} is not empty (${quote(inside[0])}); name a directory that does not exist yet`,
    );
  }
};

/** @param {string} template */
const hasTests = template =>
  readdirSync(join(folder, template)).some(name => name.endsWith('.test.js'));

/** A name that npm accepts for a private package. @param {string} text */
const packageName = text => {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '');
  return plain === '' ? 'my-vats' : plain.slice(0, 200);
};

/**
 * Write a template into a directory.
 *
 * @param {string} name  of the directory, relative or absolute
 * @param {string} template
 * @returns {{ directory: string, template: string, files: string[], next: string[], text: string }}
 *   the files, the next commands, and a text with both
 * @throws {UserError} if the template does not exist, or the directory is not empty or cannot be
 *   written
 */
export const writeTemplate = (name, template) => {
  insistTemplate(template);
  const target = resolve(name);
  insistFree(target);
  const title = packageName(basename(target));
  const { version, devDependencies } = createRequire(import.meta.url)('../../package.json');
  const isTyped = existsSync(join(folder, template, 'tsconfig.json'));
  const manifest = {
    name: title,
    private: true,
    type: 'module',
    scripts: {
      start: 'swingset-runner .',
      ...(hasTests(template) && { test: 'node --test' }),
      ...(existsSync(join(folder, template, 'server.js')) && { serve: 'node server.js' }),
      ...(isTyped && { check: 'tsc' }),
    },
    dependencies: { 'swingset-runner': `^${version}` },
    ...(isTyped && {
      devDependencies: Object.fromEntries(typeTools.map(tool => [tool, devDependencies[tool]])),
    }),
  };
  try {
    makeFolder(target);
    cpSync(join(folder, template), target, { recursive: true });
    const readme = join(target, 'README.md');
    writeFileSync(readme, readFileSync(readme, 'utf8').replaceAll('{{name}}', title));
    writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const ignored = join(target, '.gitignore');
    if (!existsSync(ignored)) writeFileSync(ignored, 'node_modules/\nswingset-out/\n');
  } catch (error) {
    const { code, path = target } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === undefined) throw error;
    throw new UserError(
      `cannot write ${quote(path)}: ${code}; name a directory where you may write`,
      { exitCode: 1 },
    );
  }
  const files = readdirSync(target).sort();
  const steps = [
    ...(target === resolve('.') ? [] : [`cd ${quoteForShell(name)}`]),
    'npm install',
    'npm start',
  ];
  const text = [
    `${name}: ${templates[template]}`,
    ...files.map(file => `  ${file}`),
    'Next:',
    ...steps.map(step => `  ${step}`),
    '',
  ].join('\n');
  return { directory: target, template, files, next: steps, text };
};
