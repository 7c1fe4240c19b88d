// Writes Perfetto's own format: a protobuf of packets (protos/perfetto/trace/trace.proto and the files that it
// imports). It is smaller than trace events and opens faster. Every event is a packet, so a truncated file opens, too.

import { insistArgument } from '#model';
import { Message } from './protobuf.js';
import { wantedWriter } from './writer.js';

/** @import { TraceWriter } from './writer.js' */

/** Numbers of fields, by message. */
const Trace = { packet: 1 };
const TracePacket = {
  timestamp: 8,
  trustedPacketSequenceId: 10,
  trackEvent: 11,
  sequenceFlags: 13,
  trackDescriptor: 60,
};
const TrackDescriptor = { uuid: 1, name: 2, process: 3, parentUuid: 5, counter: 8 };
const ProcessDescriptor = { pid: 1, processName: 6 };
const CounterDescriptor = { unitName: 6 };
const TrackEvent = {
  debugAnnotations: 4,
  type: 9,
  trackUuid: 11,
  name: 23,
  doubleCounterValue: 44,
  flowIds: 47,
};
const DebugAnnotation = { boolValue: 2, uintValue: 3, doubleValue: 5, stringValue: 6, name: 10 };

const sliceBegin = 1;
const sliceEnd = 2;
const counterValue = 4;

/** All packets are of one sequence, which begins with the first. */
const sequence = 1;
const stateCleared = 1;

/** Bytes that are buffered before a write. */
const chunkLength = 65_536;

/** @param {string} name @param {unknown} value */
const annotationOf = (name, value) => {
  const message = new Message().text(DebugAnnotation.name, name);
  if (typeof value === 'boolean') return message.uint(DebugAnnotation.boolValue, Number(value));
  if (typeof value !== 'number') return message.text(DebugAnnotation.stringValue, String(value));
  return Number.isSafeInteger(value) && value >= 0
    ? message.uint(DebugAnnotation.uintValue, value)
    : message.double(DebugAnnotation.doubleValue, value);
};

/**
 * @param {(bytes: Uint8Array) => void} write  called with pieces of the file, in order; it must not keep them
 * @returns {TraceWriter}
 * @throws {TypeError} if `write` is no function
 */
export const makePacketWriter = write => {
  insistArgument('makePacketWriter()', write, 'function', wantedWriter);
  let pending = new Message();
  let isFirst = true;
  let isClosed = false;
  let tracks = 0;
  let processes = 0;

  /** @param {Message} packet */
  const put = packet => {
    if (isClosed) return;
    packet.uint(TracePacket.trustedPacketSequenceId, sequence);
    if (isFirst) packet.uint(TracePacket.sequenceFlags, stateCleared);
    isFirst = false;
    pending.message(Trace.packet, packet);
    if (pending.finish().length < chunkLength) return;
    write(pending.finish());
    pending = new Message();
  };

  /** @param {Message} descriptor  begins with its track's number */
  const describe = descriptor =>
    put(new Message().message(TracePacket.trackDescriptor, descriptor));

  const nextTrack = () => {
    tracks += 1;
    return { uuid: tracks, message: new Message().uint(TrackDescriptor.uuid, tracks) };
  };

  /** @param {number} atNs @param {Message} event */
  const putEvent = (atNs, event) =>
    put(
      new Message()
        .uint(TracePacket.timestamp, Math.max(0, Math.round(atNs)))
        .message(TracePacket.trackEvent, event),
    );

  /** @param {number} type @param {number} uuid */
  const eventOf = (type, uuid) =>
    new Message().uint(TrackEvent.type, type).uint(TrackEvent.trackUuid, uuid);

  return {
    process(name) {
      processes += 1;
      const { uuid: parent, message } = nextTrack();
      const process = new Message()
        .uint(ProcessDescriptor.pid, processes)
        .text(ProcessDescriptor.processName, name);
      describe(message.message(TrackDescriptor.process, process));
      return {
        track: trackName => {
          const { uuid, message: track } = nextTrack();
          describe(
            track.text(TrackDescriptor.name, trackName).uint(TrackDescriptor.parentUuid, parent),
          );
          return {
            slice: (sliceName, startNs, durationNs, args = {}, flows) => {
              const event = eventOf(sliceBegin, uuid).text(TrackEvent.name, sliceName);
              for (const [key, value] of Object.entries(args)) {
                event.message(TrackEvent.debugAnnotations, annotationOf(key, value));
              }
              for (const id of [...(flows?.in ?? []), ...(flows?.out ?? [])]) {
                event.fixed64(TrackEvent.flowIds, id);
              }
              putEvent(startNs, event);
              putEvent(startNs + durationNs, eventOf(sliceEnd, uuid));
            },
          };
        },
        counter: (counterName, unit) => {
          const { uuid, message: track } = nextTrack();
          const counter = new Message().text(CounterDescriptor.unitName, unit);
          describe(
            track
              .text(TrackDescriptor.name, counterName)
              .uint(TrackDescriptor.parentUuid, parent)
              .message(TrackDescriptor.counter, counter),
          );
          return {
            set: (atNs, value) =>
              putEvent(
                atNs,
                eventOf(counterValue, uuid).double(TrackEvent.doubleCounterValue, value),
              ),
          };
        },
      };
    },

    close() {
      if (isClosed) return;
      isClosed = true;
      write(pending.finish());
      pending = new Message();
    },
  };
};
