import test from 'ava';
import { TagLog } from '../index.js';

test('tags come back as they were put in, to the ends of their ranges', t => {
  const log = new TagLog(5);
  const tags = [
    [0, 0, 0],
    [2 ** 32 - 1, 1, 2],
    [2 ** 32, 2 ** 32 - 1, 7],
    [1_500_000_000_123, 3, 1],
    [Number.MAX_SAFE_INTEGER, 0, 2 ** 32 - 1],
  ];
  for (const [timeNs, microstep, stage] of tags) log.add(timeNs, microstep, stage);
  t.is(log.length, 5);
  t.deepEqual(
    tags.map((_, i) => [log.timeNs(i), log.microstep(i), log.stage(i)]),
    tags,
  );
  t.throws(() => log.add(0, 0, 0), { instanceOf: RangeError });
  log.length = 0;
  log.add(7, 8, 9);
  t.deepEqual([log.timeNs(0), log.microstep(0), log.stage(0)], [7, 8, 9]);
});
