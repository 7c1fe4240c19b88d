// The progress of a run tells of an instant that goes on for very long.

import { PassThrough } from 'node:stream';
import test from 'ava';
import { makeProgress } from '../session/progress.js';
import { makeScreen } from '../session/screen.js';

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
