// A process in which a built-in function of the engine takes seconds, beside an alarm that reports cranks of 200 ms.

import { loadSignalWatch } from '#host/engine/signal-watch.js';
import { startCrankAlarm } from '../session/crank-alarm.js';
import { watchInterrupts } from '../session/interrupt.js';

const slotBytes = 64;
const places = { vat: 0, crank: 4 };
const board = new SharedArrayBuffer(2 * slotBytes);
const bytes = new Uint8Array(board);
bytes.set(new TextEncoder().encode('bob'), slotBytes);

const alarm = startCrankAlarm();
let stopped = 'not stopped';
const interrupts = watchInterrupts(() => void (stopped = 'stopped'), {
  findWork: () => ({ vatName: 'bob', doing: 'list()', crank: 1 }),
  workBytes: bytes,
  beforeEnd() {},
  watchSignals: await loadSignalWatch(),
  startAlarm: signal =>
    alarm.watch({ board, places, slotBytes, signal, tellAfterMs: 200, endAfterMs: Infinity }),
});

setTimeout(() => {
  bytes[places.vat] = 1;
  // The engine cannot be interrupted while it makes the list of names.
  Reflect.ownKeys(new Uint8Array(2 ** 23));
  bytes[places.vat] = 0;
  // The signal of the alarm comes in the next turn.
  setTimeout(() => {
    console.log(stopped);
    interrupts.close();
  }, 50);
}, 100);
