// Exports the folder of caches, and the making of folders, without the rest of the host.

export { defaultCacheDir, makeFolder } from '#native/cache-dir.js';
