// `swingset-runner diagram PROGRAM -o OUT`: draws a program of reactors, or a swingset: the
// reactors of its vats, or the vats with their references to each other and their messages.

import fs from 'node:fs';
import path from 'node:path';
import { diagramFlags } from '../flags.js';
import { makeOutput } from '../output.js';

export const command = 'diagram <program>';
export const describe =
  'draw a program of reactors (ports, reactions, connections) or a swingset (vats, references between them, messages)';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('program', {
      type: 'string',
      describe:
        'a module that exports a reactor as "main", "buildReactor" or "default", or the directory or config of vats',
    })
    .options(diagramFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { out } = flags;
  const { drawDiagram } = await import('../session/diagram.js');
  const drawn = await outlineOf(flags);
  const { outline } = drawn;
  if (out === undefined) {
    const { mermaidDiagram } = await import('#diagram');
    makeOutput(flags).give({ outline }, mermaidDiagram(outline));
    return;
  }
  await drawDiagram(drawn, out);
  makeOutput(flags).give({ outline, out }, `${out}\n`);
};

/**
 * @param {import('../cli.js').Flags} flags
 * @returns {Promise<import('../session/diagram.js').Drawn>}
 */
const outlineOf = async ({ program, banks, objects, benchmark: rounds }) => {
  const options = banks ? { maxBank: Infinity } : {};
  const title = path.basename(path.resolve(program)).replace(/\.[^.]+$/, '');
  if (!isSwingset(program)) {
    const { outlineOfModule } = await import('#diagram');
    const outline = await outlineOfModule(program, options);
    return { outline, title, entries: new Map([['', program]]) };
  }
  const { findEntries, outlineOfVats } = await import('../session/diagram-vats.js');
  const asked = objects || rounds !== undefined;
  const reactors = asked ? undefined : await outlineOfVats(program, options);
  if (reactors !== undefined) return { outline: reactors, title, entries: findEntries(program) };
  const { outlineOfObjects } = await import('../session/diagram-objects.js');
  const outline = await outlineOfObjects(program, { rounds });
  return { outline, title, entries: findEntries(program) };
};

/** Whether this is a config, a directory, or the name of a demo. @param {string} program */
const isSwingset = program => {
  if (program.endsWith('.json')) return true;
  const found = fs.statSync(program, { throwIfNoEntry: false });
  return found === undefined ? !/\.[cm]?[jt]s$/.test(program) : found.isDirectory();
};
