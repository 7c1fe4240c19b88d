// Exports the folder of caches without the rest of the host.

export { defaultCacheDir } from '#loader/bundle/cache-dir.js';
