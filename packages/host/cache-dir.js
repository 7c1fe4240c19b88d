// The folder of caches, for who needs nothing else of the host yet.

export { defaultCacheDir } from '#loader/bundle/cache-dir.js';
