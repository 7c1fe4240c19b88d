// Packs the modules that the command line may load, which Node loads slowly one by one, into packages/packed/files, and those of
// the drawing process into a folder there. `npm ci` and `npm pack` run it; runner/README.md says how the pack is used.

import path from 'node:path';
import { usesSources } from '../../runner/uses-sources.js';
import { packModules } from './pack-modules.js';

const root = path.join(import.meta.dirname, '../..');

// That package imports packages that are not modules.
const isPackedPackage = (/** @type {string} */ name) =>
  name.startsWith('@endo/') && name !== '@endo/module-source';

packModules({
  root,
  target: path.join(root, 'packages/packed/files'),
  // The modules that runner/main.js loads.
  entries: ['runner/cli.js', 'runner/tell-failure.js'],
  // Commands that use the sources, and modules that only they load, are not packed.
  isLeft: file => usesSources([path.basename(file, '.js')]),
  isPackedPackage,
});

packModules({
  root,
  target: path.join(root, 'packages/packed/files/drawing'),
  // The module that runner/draw.js loads.
  entries: ['stats/draw/serve.js'],
});

packModules({
  root,
  target: path.join(root, 'packages/packed/files/worker'),
  // The modules that the programs of threads and processes with vats load (packages/host/workers/open-program.js).
  entries: ['packages/host/workers/run-thread.js', 'packages/host/workers/run-process.js'],
  isPackedPackage,
});
