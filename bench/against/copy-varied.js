import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('../../', import.meta.url));

/** The programs of this suite, whose messages differ each time, are measured in commits that lack them, too. */
export const varied = 'bench/varied';

/**
 * Copies a varied program with the demos that it uses into one directory, whose config names only files below it: old
 * commits know no `sourceRoots`.
 *
 * @param {string} program  its directory in this checkout
 * @param {string} dir  where it goes
 */
export const copyVaried = (program, dir) => {
  for (const part of ['demos', varied])
    fs.cpSync(path.join(here, part), path.join(dir, part), { recursive: true });
  const text = fs.readFileSync(path.join(here, program, 'swingset.json'), 'utf8');
  const config = JSON.parse(text, (key, value) =>
    key === 'sourceSpec' ? path.join(program, value) : value,
  );
  delete config.sourceRoots;
  fs.writeFileSync(path.join(dir, 'swingset.json'), JSON.stringify(config));
};
