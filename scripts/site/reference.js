// The reference of what users import: each entry of package.json that has types, from the JSDoc of its files, by TypeDoc.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Entries that are not documented: they make no promises, or have no names of their own. */
const leftOut = new Set(['./internals', './swing-store', './reactor-ts']);

/**
 * The entries, by the names that users import them by.
 *
 * @param {string} root
 * @returns {Map<string, string>}  name by file
 */
const readEntries = root => {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return new Map(
    Object.entries(exports).flatMap(([path, entry]) =>
      entry.types === undefined || leftOut.has(path)
        ? []
        : [[join(root, entry.default), path.replace('.', name)]],
    ),
  );
};

/**
 * @param {{ root: string, out: string }} folders
 * @throws {Error} TypeDoc cannot read the entries
 */
export const buildReference = async ({ root, out }) => {
  // It is installed beside this file, and not with the project.
  const library = 'typedoc';
  const { Application } = await import(library);
  const entries = readEntries(root);
  const app = await Application.bootstrap({
    entryPoints: [...entries.keys()],
    tsconfig: join(root, 'tsconfig.build.json'),
    ...{ name: 'swingset-runner', readme: 'none', logLevel: 'Error' },
    // The project's own compiler checks types.
    ...{ skipErrorChecking: true, excludePrivate: true, excludeExternals: true },
    disableSources: true,
  });
  const project = await app.convert();
  if (project === undefined) throw Error('TypeDoc cannot read the entries');
  const names = [...entries.values()];
  // Modules come in the order of the entries, named by their files.
  for (const module of project.children) {
    const found = [...entries].find(
      ([file]) => file.endsWith(`/${module.name}.js`) || file.endsWith(`/${module.name}/index.js`),
    );
    if (found !== undefined) module.name = found[1];
  }
  const missing = names.filter(
    name => !project.children.some((/** @type {any} */ each) => each.name === name),
  );
  if (missing.length > 0) throw Error(`TypeDoc gives no module for ${missing.join(', ')}`);
  await app.generateDocs(project, out);
};
