// Lets the host answer a device later, within the same run. In SwingSet the event loop turns between two cranks, and a crank
// takes longer than a timer without delay, so what a function of the host puts off comes before the run ends. Here a run may be over
// before the loop turns once.

/** @param {import('#kernel').Kernel} kernel */
export const makeLaterAnswers = kernel => {
  const { counters } = kernel;
  const at = counters.find('syscallCallNow');
  /** Device calls that have been waited for. */
  let seen = counters.numbers[at];

  return {
    /**
     * After the queue has become empty: if a device was called since the last time, wait for what `setImmediate` and timers of at most one
     * millisecond were given before. A host that set none waits for one turn of the event loop.
     *
     * @returns {Promise<boolean>} whether something was queued meanwhile
     */
    async wait() {
      if (counters.numbers[at] === seen) return false;
      seen = counters.numbers[at];
      await new Promise(resolve => setImmediate(resolve));
      // Timers of the same delay come in the order in which they were set.
      if (process.getActiveResourcesInfo().includes('Timeout'))
        await new Promise(resolve => setTimeout(resolve, 1));
      return !kernel.isQuiet;
    },
  };
};
