// The machine's time zone, from within a vat: local times and the names of zones differ from place to place, and a state
// that was begun in one cannot be resumed in another.
import { E, Far } from '@endo/far';

const winter = new Date(2020, 0, 1);
const ask = () => [
  winter.getTime(),
  new Date(2020, 6, 1, 12).toString(),
  new Date(0).getTimezoneOffset(),
  new Date(0).getHours(),
  Date.parse('2020-01-01T00:00:00'),
  Date.parse('Jul 1 2020'),
  String(new Date(0)),
  new Date(0).toTimeString(),
  new Date(0).toLocaleString(),
  new Date(1e12).toLocaleDateString('en', { timeZoneName: 'long' }),
  new Date(new Date(0).setHours(3)).toISOString(),
  new Date(0)[Symbol.toPrimitive]('string'),
  `${new Date(2021, 2, 28, 2, 30)}`,
];

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap: vats => E(vats.alice).tell(ask()),
    runBenchmarkRound: () => ask(),
  });
