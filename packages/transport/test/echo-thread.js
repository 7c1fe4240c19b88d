// Sends back every frame that it is sent.

import { workerData } from 'node:worker_threads';
import { Bell, RingReader, RingWriter } from '../index.js';

const { to, from, theirBell, ownBell } = workerData;
const bell = new Bell(theirBell, 5_000);
const other = new Bell(ownBell);
const reader = new RingReader(to, () => other.ring());
const writer = new RingWriter(from, other);
for (;;) {
  const { count } = bell;
  const frame = reader.read();
  if (frame === undefined) bell.await(count, 1000);
  else {
    writer.write(frame);
    while (!writer.flush()) bell.await(bell.count, 1);
  }
}
