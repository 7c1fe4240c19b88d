// `swingset-runner diagram PROGRAM -o OUT`: a program of reactors as a picture; of a swingset, those of its vats.

import fs from 'node:fs';
import { diagramFlags } from '../flags.js';
import { makeOutput } from '../output.js';

export const command = 'diagram <program>';
export const describe =
  'draw the reactors of a program or a swingset: ports, reactions with their levels, connections';

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
  const outline = await outlineOf(flags);
  if (out === undefined) {
    const { mermaidDiagram } = await import('#diagram');
    makeOutput(flags).give({ outline }, mermaidDiagram(outline));
    return;
  }
  await drawDiagram(outline, out);
  makeOutput(flags).give({ outline, out }, `${out}\n`);
};

/** @param {import('../cli.js').Flags} flags */
const outlineOf = async ({ program, banks }) => {
  const options = banks ? { maxBank: Infinity } : {};
  if (isSwingset(program)) {
    const { outlineOfVats } = await import('../session/diagram-vats.js');
    return outlineOfVats(program, options);
  }
  const { outlineOfModule } = await import('#diagram');
  return outlineOfModule(program, options);
};

/** A config, a directory, or the name of one among the demos. @param {string} program */
const isSwingset = program => {
  if (program.endsWith('.json')) return true;
  const found = fs.statSync(program, { throwIfNoEntry: false });
  return found === undefined ? !/\.[cm]?[jt]s$/.test(program) : found.isDirectory();
};
