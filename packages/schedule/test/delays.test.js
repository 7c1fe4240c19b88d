import test from 'ava';
import fc from 'fast-check';
import { compareTags } from '#model';
import { findDelays } from '../delays.js';

/** @import { DelayedEdge } from '../delays.js' */
/** @import { Tag } from '#model' */

const count = 5;

/** @type {fc.Arbitrary<DelayedEdge>} */
const arbEdge = fc
  .record({
    from: fc.nat(count - 1),
    to: fc.nat(count - 1),
    delay: fc.constantFrom('none', 'step', 1, 2, 5),
  })
  .map(({ from, to, delay }) => ({
    ...{ from, to },
    delayNs: typeof delay === 'number' ? delay : 0,
    microsteps: delay === 'step' ? 1 : 0,
  }));

/** @type {fc.Arbitrary<Tag>} */
const arbTag = fc.record({ timeNs: fc.nat(12), microstep: fc.nat(3) });

/** @type {(tag: Tag, edge: DelayedEdge) => Tag} */
const after = ({ timeNs, microstep }, { delayNs, microsteps }) => ({
  timeNs: timeNs + delayNs,
  microstep: (delayNs > 0 ? 0 : microstep) + microsteps,
});

/**
 * The earliest arrivals, by sending along each edge until nothing gets earlier.
 *
 * @param {readonly DelayedEdge[]} edges
 * @param {number} from
 * @param {Tag} tag
 */
const arrivals = (edges, from, tag) => {
  /** @type {(Tag | undefined)[]} */
  const found = Array.from({ length: count });
  const sent = edges.filter(edge => edge.from === from).map(edge => ({ edge, tag }));
  for (let next = sent.pop(); next !== undefined; next = sent.pop()) {
    const { edge } = next;
    const arrival = after(next.tag, edge);
    const known = found[edge.to];
    if (known !== undefined && compareTags(known, arrival) <= 0) continue;
    found[edge.to] = arrival;
    for (const other of edges) if (other.from === edge.to) sent.push({ edge: other, tag: arrival });
  }
  return found;
};

test('a delay is that of the earliest arrival over all paths', t => {
  fc.assert(
    fc.property(fc.array(arbEdge, { maxLength: 12 }), arbTag, arbTag, (edges, tag, other) => {
      const delays = findDelays(count, edges);
      for (let from = 0; from < count; from += 1) {
        const found = arrivals(edges, from, tag);
        for (let to = 0; to < count; to += 1) {
          const arrival = found[to];
          const isLater = arrival === undefined || compareTags(arrival, other) > 0;
          t.is(delays.isLater(from, tag, to, other), isLater);
        }
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a time sets the microstep back', t => {
  const delays = findDelays(3, [
    { from: 0, to: 1, delayNs: 0, microsteps: 1 },
    { from: 1, to: 2, delayNs: 5, microsteps: 0 },
  ]);
  t.false(delays.isLater(0, { timeNs: 3, microstep: 9 }, 2, { timeNs: 8, microstep: 0 }));
  t.true(delays.isLater(0, { timeNs: 3, microstep: 9 }, 2, { timeNs: 7, microstep: 99 }));
  t.true(delays.isLater(2, { timeNs: 0, microstep: 0 }, 0, { timeNs: 99, microstep: 0 }));
});
