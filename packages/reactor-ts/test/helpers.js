import { EventEmitter, once } from 'node:events';

/** @import { App } from '../index.js' */

/**
 * Run a fast program to its end.
 *
 * @param {new (...args: any[]) => App} Main  takes what `App` takes
 * @param {import('../index.js').TimeValue} [timeout]
 * @returns {Promise<{ app: any, ended: 'success' | 'failure' }>}
 */
export const runFast = async (Main, timeout) => {
  const events = new EventEmitter();
  const app = new Main(
    timeout,
    false,
    true,
    () => events.emit('end', 'success'),
    () => events.emit('end', 'failure'),
  );
  const end = once(events, 'end');
  app._start();
  const [ended] = await end;
  return { app, ended };
};
