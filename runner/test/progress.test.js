// The progress of a run tells of an instant that goes on for very long.

import { PassThrough } from 'node:stream';
import test from 'ava';
import { makeProgress } from '../session/progress.js';
import { makeScreen } from '../session/screen.js';

/**
 * Show progress on a terminal, and return its text.
 *
 * @param {number} columns
 * @param {string} text
 * @param {NodeJS.ProcessEnv} env
 */
const showOn = (columns, text, env) => {
  const stderr = /** @type {any} */ (Object.assign(new PassThrough(), { isTTY: true, columns }));
  makeScreen({ stderr, env }).progress(() => ({ share: 0.5, text }));
  return stderr.read()?.toString();
};

test('the bar leaves room for the text, and never fills the line', t => {
  const text = 'round 123456 of 1000000, 12.3 µs a round, 12.34 s left';
  const env = { NO_COLOR: '1' };
  const bar = (/** @type {number} */ n) => `${'█'.repeat(n / 2)}${'░'.repeat(n / 2)}`;
  t.is(showOn(100, text, env), `\r\u001b[K${bar(30)} ${text}`);
  t.is(showOn(80, text, env), `\r\u001b[K${bar(22)} ${text}`);
  t.is(showOn(60, text, env), `\r\u001b[K${text}`);
  t.is(showOn(40, text, env), `\r\u001b[K${text.slice(0, 39)}`);
});

test('a terminal that is dumb gets no control sequences', t => {
  t.falsy(showOn(80, 'round 1 of 2', { TERM: 'dumb' }));
});

test('an instant of a million microsteps is told of once, unless rounds or time go on', t => {
  const stderr = /** @type {any} */ (new PassThrough());
  const now = { timeNs: 0, microstep: 0 };
  const kernel = { now, describeNext: () => 'the reactions of vat "a"' };
  const progress = makeProgress(
    makeScreen({ stderr }),
    /** @type {any} */ ({ kernel, cranks: { all: 0, control: 0 } }),
  );
  let done = 0;
  const tick = (/** @type {Partial<typeof now>} */ change) => {
    Object.assign(now, change);
    progress.tick(/** @type {any} */ ({ setup: {}, wanted: 9, done }));
    return stderr.read()?.toString();
  };
  t.falsy(tick({}));
  t.falsy(tick({ microstep: 999_999 }));
  done = 1;
  t.falsy(tick({ microstep: 1_500_000 }));
  t.falsy(tick({ timeNs: 5, microstep: 1_500_000 }));
  t.is(
    tick({ microstep: 2_500_000 }),
    'the instant at 5 ns has had more than 1000000 microsteps and goes on (next is the reactions of vat "a"); messages or ' +
      'actions without a delay may go round, and --max-microsteps ends such a run\n',
  );
  t.falsy(tick({ microstep: 9_500_000 }));
});
