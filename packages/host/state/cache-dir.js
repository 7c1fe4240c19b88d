// Exports the folder of caches, and the making of folders, without the rest of the host.

export { defaultCacheDir, makeFolder, makePrivateFolder } from '#loader/bundle/cache-dir.js';
