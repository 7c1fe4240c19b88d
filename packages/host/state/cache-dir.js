// Exports the folder of caches, and the making of folders, without the rest of the host.

export { defaultCacheDir, makeFolder, makePrivateFolder } from '#native/cache-dir.js';
