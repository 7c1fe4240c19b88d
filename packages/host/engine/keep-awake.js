// Keeps the processor core of a run awake while a block is synced to disk.

/**
 * The addon is loaded on demand, since few programs need it.
 *
 * @returns {Promise<{ keepAwake: () => void, reason?: undefined } | { keepAwake?: undefined, reason: string }>}
 *   `keepAwake` is for `beforeWait` of `openLmdbStore`; it is available on Linux, if the process may use the whole
 *   processor
 */
export const openKeepAwake = async () => {
  const native = await import('#native');
  return native.openKeepAwake();
};
