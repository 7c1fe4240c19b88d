// The core that a run is on, kept awake while a block is forced to disk.

/**
 * Few who import the host want it, so the addon is loaded when one does.
 *
 * @returns {Promise<{ keepAwake: () => void, reason?: undefined } | { keepAwake?: undefined, reason: string }>} `keepAwake`
 *   is for `beforeWait` of `openLmdbStore`; it is there on Linux, where the process has the processor for all of the time
 */
export const openKeepAwake = async () => {
  const native = await import('#native');
  return native.openKeepAwake();
};
