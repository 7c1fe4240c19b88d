// Packs the modules that the command line may load, which Node loads slowly one by one, into runner/packed/files. `npm ci` and
// `npm pack` run it; runner/README.md says what becomes of it.

import path from 'node:path';
import { usesSources } from '../../runner/packed/uses-sources.js';
import { packModules } from './pack-modules.js';

const root = path.join(import.meta.dirname, '../..');

packModules({
  root,
  target: path.join(root, 'runner/packed/files'),
  // These are what runner/main.js loads.
  entries: ['runner/cli.js', 'runner/tell-failure.js'],
  // Such a command is never run from the pack, nor is what it alone loads.
  isLeft: file => usesSources([path.basename(file, '.js')]),
  // The exception imports packages that are not modules.
  isPackedPackage: name => name.startsWith('@endo/') && name !== '@endo/module-source',
});
