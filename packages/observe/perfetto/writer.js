// Writes the array form of the Chrome trace event format, which chrome://tracing and Perfetto (ui.perfetto.dev) open.
// Events are written in pieces of some 64 KB as they come; a truncated file opens, too.
//
// The format: "Trace Event Format", by the Chrome developers. Times are in microseconds, with three decimals here.

import { insistArgument } from '#model';

/** Characters that are buffered before a write. */
const chunkLength = 65_536;

/**
 * A row of slices. Slices of a track must not overlap, unless one contains the other.
 *
 * @typedef {object} Track
 * @property {(name: string, startNs: number, durationNs: number, args?: Record<string, unknown>, flows?: Flows) => void} slice
 */

/** @import { Flows } from './flows.js' */

/**
 * A curve.
 *
 * @typedef {object} Counter
 * @property {(atNs: number, value: number) => void} set
 */

/**
 * @typedef {object} TraceWriter
 * @property {(name: string) => { track: (name: string) => Track, counter: (name: string, unit: string) => Counter }} process  a
 *   group of tracks
 * @property {() => void} close  write the buffered rest; later calls write nothing
 */

/** A right target of a trace, for errors. */
export const wantedWriter = "a function for the file's pieces, as writeToFile(path) makes one";

/**
 * @param {(text: string) => void} write  called with pieces of the file, in order
 * @returns {TraceWriter}
 * @throws {TypeError} if `write` is no function
 */
export const makeTraceWriter = write => {
  insistArgument('makeTraceWriter()', write, 'function', wantedWriter);
  let pending = '[\n';
  let isFirst = true;
  let isClosed = false;
  let processes = 0;

  /** @param {string} event */
  const put = event => {
    if (isClosed) return;
    pending += isFirst ? event : `,\n${event}`;
    isFirst = false;
    if (pending.length < chunkLength) return;
    write(pending);
    pending = '';
  };

  /** @param {Record<string, unknown>} event */
  const putMetadata = event => put(JSON.stringify({ ph: 'M', ...event }));

  return {
    process(name) {
      processes += 1;
      const pid = processes;
      let tracks = 0;
      putMetadata({ name: 'process_name', pid, tid: 0, args: { name } });
      putMetadata({ name: 'process_sort_index', pid, tid: 0, args: { sort_index: pid } });
      return {
        track: trackName => {
          tracks += 1;
          const tid = tracks;
          putMetadata({ name: 'thread_name', pid, tid, args: { name: trackName } });
          putMetadata({ name: 'thread_sort_index', pid, tid, args: { sort_index: tid } });
          const place = `"ph":"X","pid":${pid},"tid":${tid}`;
          return {
            slice: (sliceName, startNs, durationNs, args, flows) => {
              const more = args === undefined ? '' : `,"args":${JSON.stringify(args)}`;
              const ts = microseconds(startNs);
              const dur = microseconds(durationNs);
              put(`{"name":${JSON.stringify(sliceName)},${place},"ts":${ts},"dur":${dur}${more}}`);
              if (flows === undefined) return;
              // An arrow binds to the open slice. It ends in a step ("t"), since it may go on to another slice.
              const at = `"cat":"flow","pid":${pid},"tid":${tid},"ts":${ts}`;
              for (const id of flows.in) put(`{"name":"flow","ph":"t","id":${id},${at}}`);
              for (const id of flows.out) put(`{"name":"flow","ph":"s","id":${id},${at}}`);
            },
          };
        },
        counter: (counterName, unit) => ({
          set: (atNs, value) => {
            const args = `{${JSON.stringify(unit)}:${value}}`;
            const ts = microseconds(atNs);
            put(
              `{"name":${JSON.stringify(counterName)},"ph":"C","pid":${pid},"ts":${ts},"args":${args}}`,
            );
          },
        }),
      };
    },

    close() {
      if (isClosed) return;
      isClosed = true;
      write(`${pending}\n]\n`);
      pending = '';
    },
  };
};

/** @param {number} ns */
const microseconds = ns => Math.round(ns) / 1000;
