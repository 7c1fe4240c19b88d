// Ping-pong and a clock with its reader in plain JavaScript, without a runtime: with a ring buffer
// of closures, and with a binary heap of events by time and microstep. Their figures compare
// machines.

const ringSize = 1_024;

const makeRing = () => {
  /** @type {(() => void)[]} */
  const ring = new Array(ringSize).fill(() => {});
  let first = 0;
  let last = 0;
  return {
    /** @param {() => void} act */
    push: act => {
      ring[last] = act;
      last = (last + 1) % ringSize;
    },
    run: () => {
      while (first !== last) {
        const act = ring[first];
        first = (first + 1) % ringSize;
        act();
      }
    },
  };
};

/** @typedef {{ time: number, microstep: number, act: () => void }} HeapEvent */

/** @param {HeapEvent} left @param {HeapEvent} right */
const isBefore = (left, right) =>
  left.time < right.time || (left.time === right.time && left.microstep < right.microstep);

const makeHeap = () => {
  /** @type {HeapEvent[]} */
  const heap = [];

  /** @param {number} start */
  const sink = start => {
    let at = start;
    for (;;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && isBefore(heap[child], heap[least])) least = child;
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least], heap[at]];
      at = least;
    }
  };

  return {
    /** @param {HeapEvent} event */
    push: event => {
      let at = heap.length;
      heap.push(event);
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!isBefore(heap[at], heap[parent])) break;
        [heap[at], heap[parent]] = [heap[parent], heap[at]];
        at = parent;
      }
    },
    run: () => {
      while (heap.length > 0) {
        const [event] = heap;
        const last = /** @type {HeapEvent} */ (heap.pop());
        if (heap.length > 0) {
          heap[0] = last;
          sink(0);
        }
        event.act();
      }
    },
  };
};

/** @type {Record<string, (size: number) => { run: () => void, answer: () => number }>} */
export const plainPrograms = {
  'pingpong, ring of closures': pings => {
    const ring = makeRing();
    let sent = 0;
    let come = 0;
    const pong = () => {
      come += 1;
      ring.push(ping);
    };
    const ping = () => {
      if (sent === pings) return;
      sent += 1;
      ring.push(pong);
    };
    ring.push(ping);
    return { run: ring.run, answer: () => come };
  },
  'pingpong, heap of events': pings => {
    const heap = makeHeap();
    let sent = 0;
    let come = 0;
    let microstep = 0;
    /** @param {() => void} act */
    const later = act => {
      microstep += 1;
      heap.push({ time: 0, microstep, act });
    };
    const pong = () => {
      come += 1;
      later(ping);
    };
    const ping = () => {
      if (sent === pings) return;
      sent += 1;
      later(pong);
    };
    later(ping);
    return { run: heap.run, answer: () => come };
  },
  'timelimit, ring of closures': events => {
    const ring = makeRing();
    let count = 0;
    let last = 0;
    const read = () => {
      if (count !== last + 1) throw Error(`got ${count} behind ${last}`);
      last = count;
      ring.push(tick);
    };
    const tick = () => {
      if (count === events) return;
      count += 1;
      ring.push(read);
    };
    ring.push(tick);
    return { run: ring.run, answer: () => last };
  },
  'timelimit, heap of events': events => {
    const heap = makeHeap();
    let count = 0;
    let last = 0;
    const read = () => {
      if (count !== last + 1) throw Error(`got ${count} behind ${last}`);
      last = count;
      heap.push({ time: count, microstep: 0, act: tick });
    };
    const tick = () => {
      if (count === events) return;
      count += 1;
      heap.push({ time: count - 1, microstep: 1, act: read });
    };
    heap.push({ time: 0, microstep: 0, act: tick });
    return { run: heap.run, answer: () => last };
  },
};

/** @param {string} name */
export const plainSize = name => (name.startsWith('pingpong') ? 1_000_000 : 10_000_000);
