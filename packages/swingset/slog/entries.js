// Gives the slog's entries of a run to the host program, in the form of SwingSet: entries with the time when they are written,
// and pairs of entries around what takes time.

import { performance } from 'node:perf_hooks';

/** @typedef {Record<string, unknown>} Props */

/** The end of what takes time; properties of its own go into the second entry. @typedef {(props?: Props) => void} Finish */

const msPerSecond = 1000;

/** Fields of an entry that may not be among those of what takes time. */
const reserved = ['type', 'seconds'];

/** @param {Props} props @param {string} what */
const insistFree = (props, what) => {
  for (const name of reserved)
    if (Object.hasOwn(props, name))
      throw TypeError(`${what} must not have ${reserved.map(it => `"${it}"`).join(' or ')}`);
};

/** @param {((entry: object) => void) | undefined} send  of the host program */
export const makeEntries = send => {
  /**
   * @param {Props} entry
   * @throws what the host program's function throws
   */
  const writeSlogObject = ({ type, seconds, ...props }) => {
    if (send === undefined) return;
    const ms = performance.now();
    const time = (performance.timeOrigin + ms) / msPerSecond;
    const times = { time, monotime: ms / msPerSecond, ...(seconds !== undefined && { seconds }) };
    send(harden({ type, ...props, ...times }));
  };

  /**
   * Write the first entry now, and the second at `finish`.
   *
   * @param {readonly [string, string]} labels  types of the two entries
   * @param {Props} props  of both
   * @returns {Finish}
   */
  const begin = ([first, second], props) => {
    writeSlogObject({ type: first, ...props });
    const startMs = performance.now();
    let isFinished = false;
    return (more = {}) => {
      if (isFinished) throw Error(`slog event ${first} already finished`);
      isFinished = true;
      insistFree(more, 'properties of the finish');
      const seconds = (performance.now() - startMs) / msPerSecond;
      const kept = Object.entries(props).filter(([name]) => !Object.hasOwn(more, name));
      writeSlogObject({ type: second, ...Object.fromEntries(kept), ...more, seconds });
    };
  };

  /**
   * Write an entry before and an entry behind a function of the host program. After an error there is no second entry.
   *
   * @template T
   * @param {readonly [string, string]} labels  types of the two entries
   * @param {Props} props  of both
   * @param {(finish: Finish, ...args: any[]) => T | Promise<T>} run  may finish earlier by itself
   * @param {...any} args
   * @returns {Promise<T>}
   * @throws {TypeError} if a property has the name of one of the slog's own
   */
  const slogDuration = async (labels, props, run, ...args) => {
    insistFree(props, 'properties of the start');
    const end = begin(labels, props);
    let isFinished = false;
    /** @type {Finish} */
    const finish = more => {
      isFinished = true;
      end(more);
    };
    const result = await run(finish, ...args);
    if (!isFinished) finish();
    return result;
  };

  return { writeSlogObject, begin, slogDuration };
};
