// Compares traces.

/**
 * Lines in order, or sorted where their order is not the point.
 *
 * @param {import('./program.js').Program} what
 * @param {Record<string, string[]>} trace
 */
export const comparable = ({ unordered }, trace) =>
  Object.fromEntries(
    Object.entries(trace)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([part, lines]) => [part, unordered ? [...lines].sort() : lines]),
  );
