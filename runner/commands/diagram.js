// `swingset-runner diagram PROGRAM.js -o OUT`: a program of reactors as a picture.

import fs from 'node:fs';
import { UserError, quote } from '#model';
import { diagramFlags } from '../flags.js';

export const command = 'diagram <program>';
export const describe =
  'draw the reactors of a program: ports, reactions with their levels, connections';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('program', {
      type: 'string',
      describe: 'a module that exports a reactor as "main", "buildReactor" or "default"',
    })
    .options(diagramFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { out } = flags;
  const { drawDiagram } = await import('../session/diagram.js');
  const outline = await outlineOf(flags);
  if (out === undefined) {
    const { mermaidDiagram } = await import('#diagram');
    process.stdout.write(mermaidDiagram(outline));
    return;
  }
  await drawDiagram(outline, out);
  process.stdout.write(`${out}\n`);
};

/** @param {import('../cli.js').Flags} flags */
const outlineOf = async ({ program, banks }) => {
  const { outlineOfModule } = await import('#diagram');
  if (fs.statSync(program, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(
      `${quote(program)} is a directory; diagram takes a module that exports a reactor: diagram ${program}/main.js`,
    );
  }
  return outlineOfModule(program, banks ? { maxBank: Infinity } : {});
};
