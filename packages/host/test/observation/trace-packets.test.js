// Perfetto's packets, decoded by the field numbers of its published schema (protos/perfetto/trace/ in google/perfetto), which
// stand here a second time: what the writer has wrong is not wrong here in the same way.

import test from 'ava';
import fc from 'fast-check';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { Message } from '#observe/perfetto/protobuf.js';
import { makeFlows, makePacketWriter, makeTimelines } from '#observe/perfetto';
import { makeTrace } from '#observe/trace.js';

/**
 * Fields as [number, wire type, value]: a bigint for a varint, bytes for the rest.
 *
 * @param {Uint8Array} bytes
 */
const decode = bytes => {
  /** @type {[field: number, wire: number, value: any][]} */
  const fields = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) throw Error('cut off');
      at += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const wire = key & 7;
    if (wire === 0) {
      fields.push([key >> 3, wire, varint()]);
    } else {
      const length = wire === 1 ? 8 : wire === 2 ? Number(varint()) : NaN;
      if (!(at + length <= bytes.length)) throw Error(`wire type ${wire} or length ${length}`);
      fields.push([key >> 3, wire, bytes.subarray(at, at + length)]);
      at += length;
    }
  }
  return fields;
};

/** The schema: names and types of the fields by number. @type {Record<string, Record<number, [name: string, type: string]>>} */
const schema = {
  Trace: { 1: ['packet', 'TracePacket'] },
  TracePacket: {
    8: ['timestamp', 'uint'],
    10: ['trusted_packet_sequence_id', 'uint'],
    11: ['track_event', 'TrackEvent'],
    13: ['sequence_flags', 'uint'],
    60: ['track_descriptor', 'TrackDescriptor'],
  },
  TrackDescriptor: {
    1: ['uuid', 'uint'],
    2: ['name', 'string'],
    3: ['process', 'ProcessDescriptor'],
    5: ['parent_uuid', 'uint'],
    8: ['counter', 'CounterDescriptor'],
  },
  ProcessDescriptor: { 1: ['pid', 'uint'], 6: ['process_name', 'string'] },
  CounterDescriptor: { 6: ['unit_name', 'string'] },
  TrackEvent: {
    4: ['debug_annotations', 'DebugAnnotation'],
    9: ['type', 'uint'],
    11: ['track_uuid', 'uint'],
    23: ['name', 'string'],
    44: ['double_counter_value', 'double'],
    47: ['flow_ids', 'fixed64'],
  },
  DebugAnnotation: {
    2: ['bool_value', 'uint'],
    3: ['uint_value', 'uint'],
    5: ['double_value', 'double'],
    6: ['string_value', 'string'],
    10: ['name', 'string'],
  },
};

const wires = /** @type {Record<string, number>} */ ({ uint: 0, fixed64: 1, double: 1 });

/** @param {string} name @param {Uint8Array} bytes @returns {any} each field with the list of its values */
const read = (name, bytes) => {
  /** @type {Record<string, any[]>} */
  const found = {};
  for (const [number, wire, value] of decode(bytes)) {
    const field = schema[name][number];
    if (field === undefined) throw Error(`${name} has no field ${number}`);
    const [key, type] = field;
    if (wire !== (wires[type] ?? 2)) throw Error(`${name}.${key} has wire type ${wire}`);
    const view = wire === 1 && new DataView(value.buffer, value.byteOffset, 8);
    const plain =
      type === 'uint'
        ? Number(value)
        : type === 'string'
          ? new TextDecoder('utf-8', { fatal: true }).decode(value)
          : view
            ? type === 'double'
              ? view.getFloat64(0, true)
              : Number(view.getBigUint64(0, true))
            : read(type, value);
    (found[key] ??= []).push(plain);
  }
  return found;
};

/** @param {Uint8Array[]} pieces */
const readTrace = pieces => read('Trace', Uint8Array.from(Buffer.concat(pieces))).packet;

/** @param {(write: (bytes: Uint8Array) => void) => void | Promise<void>} act */
const packetsOf = async act => {
  /** @type {Uint8Array[]} */
  const pieces = [];
  await act(bytes => pieces.push(Uint8Array.from(bytes)));
  return readTrace(pieces);
};

test('a decoded message has the encoded fields, whatever their values', t => {
  fc.assert(
    fc.property(
      fc.maxSafeNat(),
      fc.string({ unit: 'binary' }),
      fc.double(),
      (uint, text, double) => {
        const message = new Message()
          .uint(8, uint)
          .text(536, text)
          .double(44, double)
          .fixed64(47, uint);
        const [first, second, third, fourth] = decode(message.finish());
        t.deepEqual(first, [8, 0, BigInt(uint)]);
        t.is(Buffer.from(second[2]).toString(), text);
        t.is(second[0], 536);
        t.is(Buffer.from(third[2]).readDoubleLE(), double);
        t.is(Buffer.from(fourth[2]).readBigUInt64LE(), BigInt(uint));
      },
    ),
    { numRuns: 200 },
  );
});

test('slices nest in their tracks, tracks in their processes, and counters have units', async t => {
  const packets = await packetsOf(write => {
    const timelines = makeTimelines(makePacketWriter(write));
    timelines.tag(0, 0);
    const args = { crank: 1, late: true, share: 0.5, why: 'größer' };
    const flows = { out: [1], in: [] };
    timelines.record({ track: 'bank', name: 'pay', startNs: 1_000, endNs: 3_000, args, flows });
    timelines.count('run queue', 'items', 3_000, 2);
    timelines.close();
  });
  t.deepEqual(packets[0].sequence_flags, [1]);
  t.true(packets.every((/** @type {any} */ each) => each.trusted_packet_sequence_id[0] === 1));
  const tracks = packets.flatMap((/** @type {any} */ { track_descriptor: found = [] }) => found);
  const physical = tracks.find(
    (/** @type {any} */ each) => each.process?.[0].process_name[0] === 'physical time',
  );
  const bank = tracks.find(
    (/** @type {any} */ each) =>
      each.name?.[0] === 'bank' && each.parent_uuid[0] === physical.uuid[0],
  );
  t.is(new Set(tracks.map((/** @type {any} */ { uuid }) => uuid[0])).size, tracks.length);
  const events = packets
    .filter(
      (/** @type {any} */ { track_event: found }) => found?.[0].track_uuid[0] === bank.uuid[0],
    )
    .map((/** @type {any} */ { timestamp, track_event: [event] }) => ({
      at: timestamp[0],
      ...event,
    }));
  t.deepEqual(
    events.map((/** @type {any} */ { at, type }) => [at, type[0]]),
    [
      [1_000, 1],
      [3_000, 2],
    ],
  );
  t.deepEqual(events[0].name, ['pay']);
  t.deepEqual(events[0].flow_ids, [3]);
  t.deepEqual(events[0].debug_annotations.slice(1), [
    { name: ['crank'], uint_value: [1] },
    { name: ['late'], bool_value: [1] },
    { name: ['share'], double_value: [0.5] },
    { name: ['why'], string_value: ['größer'] },
  ]);
  const curve = tracks.find((/** @type {any} */ { counter }) => counter !== undefined);
  t.deepEqual([curve.name, curve.counter[0].unit_name], [['run queue'], ['items']]);
  const [value] = packets.filter(
    (/** @type {any} */ { track_event: found }) => found?.[0].type[0] === 4,
  );
  t.deepEqual(value.track_event[0].double_counter_value, [2]);
});

/** @param {'json' | 'pftrace'} format */
const traceRun = async format => {
  /** @type {any[]} */
  const pieces = [];
  let now = 0;
  const clock = { nowNs: () => (now += 1_000), name: 'test' };
  const trace = makeTrace({
    write: piece => pieces.push(typeof piece === 'string' ? piece : Uint8Array.from(piece)),
    format,
    clock: /** @type {any} */ (clock),
  });
  const { crankObserver, onKernel } = trace;
  const simulation = await makeSimulation(loadConfig({ baseDir: 'demos/pingpong' }), {
    store: makeMemoryStore(),
    crankObserver,
    onKernel,
  });
  await simulation.run();
  await simulation.close();
  trace.close();
  return pieces;
};

test('an arrow goes from each send to its delivery and from each resolution to its notify', async t => {
  const packets = readTrace(await traceRun('pftrace'));
  const events = packets.flatMap((/** @type {any} */ { timestamp, track_event: found = [] }) =>
    found.map((/** @type {any} */ event) => ({ at: timestamp[0], ...event })),
  );
  /** @type {Map<number, { at: number, name: string }[]>} */
  const flows = new Map();
  for (const { at, name, flow_ids: ids = [] } of events) {
    for (const id of ids) flows.set(id, [...(flows.get(id) ?? []), { at, name: name[0] }]);
  }
  const arrived = [...flows.values()];
  t.deepEqual(
    arrived.filter(({ length }) => length < 2),
    [],
  );
  t.true(arrived.length > 10);
  for (const [from, to] of arrived) t.true(from.at < to.at, `${from.name} to ${to.name}`);
  const names = new Set(arrived.map(([from, to]) => `${from.name} → ${to.name}`));
  t.true(
    [...names].some(name => name.endsWith('→ notify')),
    [...names].join(', '),
  );
  t.true(
    [...names].some(name => name.startsWith('bootstrap →')),
    [...names].join(', '),
  );
  // Trace events have these arrows too.
  const json = JSON.parse((await traceRun('json')).join(''));
  const count = (/** @type {string} */ ph) =>
    json.filter((/** @type {any} */ event) => event.ph === ph).length;
  t.is(count('s'), flows.size);
  t.is(
    count('t'),
    [...flows.values()].reduce((sum, { length }) => sum + length - 1, 0),
  );
  t.true(count('C') > 3);
});

test('an arrow begins at an observed syscall that queued an item, and ends at its delivery', t => {
  const flows = makeFlows(promise => promise === 'kp2');
  const flight = (/** @type {any} */ item, /** @type {any[]} */ applied = []) =>
    /** @type {any} */ ({
      item: { kind: 'send', causeNumber: 0, causePlace: -1, ...item },
      applied,
    });
  const methargs = { body: '#["tick",[]]', slots: [] };
  const send = ['send', 'kp1', methargs, null];
  const resolve = ['resolve', [['kp1', false, methargs]]];
  const syscalls = [send, ['subscribe', 'kp1'], send, resolve, ['subscribe', 'kp2'], resolve];
  const { out } = flows.of(flight({}, syscalls), 7);
  t.is(new Set(out).size, 4);
  const arrive = (/** @type {any} */ item) => flows.of(flight(item), 8).in;
  t.deepEqual(arrive({ causeNumber: 7, causePlace: 2 }), [out[1]]);
  t.deepEqual(arrive({ kind: 'notify', causeNumber: 7, causePlace: 3 }), [out[2]]);
  t.deepEqual(arrive({ kind: 'notify', causeNumber: 7, causePlace: 4 }), [out[3]]);
  // The second resolution notified nobody, and each item has arrived once.
  for (const causePlace of [3, 4, 5])
    t.deepEqual(arrive({ kind: 'notify', causeNumber: 7, causePlace }), []);
  // By the kernel itself, by an input, in a crank before the trace began, and behind what has arrows.
  t.deepEqual(arrive({ causeNumber: 7, causePlace: -1 }), []);
  t.deepEqual(arrive({ causeNumber: 7, causePlace: -2 }), []);
  t.deepEqual(arrive({ causeNumber: 6, causePlace: 0 }), []);
  t.deepEqual(arrive({ causeNumber: 7, causePlace: 4_096 }), []);
});
