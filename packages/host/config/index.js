// What to run: from a config file or a folder's files.

export { isFolder } from '../bundle/package-exports.js';
export { isRunnable, lookUpBaseDir } from './find-base-dir.js';
export { loadConfig, nameConfig } from './load-config.js';
export { parseJson } from './parse-json.js';
