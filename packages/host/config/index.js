// What to run: from a config file or a folder's files.

export { loadConfig, nameConfig } from './load-config.js';
export { parseJson } from './parse-json.js';
