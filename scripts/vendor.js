// Brings packages/vendored/files up to date with node_modules; `npm ci` and `npm pack` run it.

import { collectLibraries } from '../packages/vendored/collect.js';
import { collectCompiler } from './vendor-compiler.js';

collectLibraries();
collectCompiler();
