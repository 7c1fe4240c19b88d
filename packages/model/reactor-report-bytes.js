// Encodes a report of reactors as bytes: flags, the quiet cranks as runs of equal steps, the tag, the next tag, counts,
// and the ports of a vat that has just started. Decoding checks types; the kernel checks the contents
// (kernel/reactors).

import { quote } from './errors.js';
import { reactorCounts } from './reactor-report.js';

/** @import { ByteReader, ByteWriter } from './bytes.js' */
/** @import { ReactorReport } from './reactor-report.js' */
/** @import { TagLog } from './tag-log.js' */
/** @import { ReactorShape } from './vat-reactors.js' */

/** Bits of the first byte. */
const loudFlag = 1;
const quietFlag = 2;
const nextFlag = 4;
const shapeFlag = 8;
const allFlags = loudFlag | quietFlag | nextFlag | shapeFlag;

/** @param {ByteWriter} writer @param {TagLog} quiet  not empty */
const writeQuiet = (writer, quiet) => {
  writer.varint(quiet.firstTimeNs);
  writer.varint(quiet.firstMicrostep);
  writer.varint(quiet.firstStage);
  let runs = 0;
  quiet.eachRun(() => {
    runs += 1;
  });
  writer.varint(runs);
  quiet.eachRun((count, elapsedNs, microsteps, stage) => {
    writer.varint(count);
    writer.varint(elapsedNs);
    writer.varint(microsteps);
    writer.varint(stage);
  });
};

/** @param {ByteReader} reader @param {TagLog} quiet  empty */
const readQuiet = (reader, quiet) => {
  quiet.add(reader.varint(), reader.varint(), reader.varint());
  for (let left = reader.varint(); left > 0; left -= 1)
    quiet.addRun(reader.varint(), reader.varint(), reader.varint(), reader.varint());
};

/** @param {ByteWriter} writer @param {ReactorShape['inputs']} ports */
const writePorts = (writer, ports) => {
  writer.varint(ports.length);
  for (const [name, width] of ports) {
    writer.text(name);
    writer.varint(width);
  }
};

/** @param {ByteReader} reader @returns {ReactorShape['inputs']} */
const readPorts = reader => {
  /** @type {ReactorShape['inputs']} */
  const ports = [];
  for (let left = reader.varint(); left > 0; left -= 1)
    ports.push([reader.text(), reader.varint()]);
  return ports;
};

/** @param {ByteWriter} writer @param {ReactorShape} shape */
const writeShape = (writer, { inputs, outputs, actions, dependencies, ...flags }) => {
  writePorts(writer, inputs);
  writePorts(writer, outputs);
  writer.varint(actions.length);
  for (const action of actions) writer.text(action);
  writer.varint(dependencies.length);
  for (const channels of dependencies) {
    writer.varint(channels.length);
    writer.varints(channels);
  }
  writer.byte((flags.mayRequestStop ? 1 : 0) | (flags.hasRoot ? 2 : 0));
};

/** @param {ByteReader} reader @returns {ReactorShape} */
const readShape = reader => {
  const inputs = readPorts(reader);
  const outputs = readPorts(reader);
  const actions = [];
  for (let left = reader.varint(); left > 0; left -= 1) actions.push(reader.text());
  const dependencies = [];
  for (let left = reader.varint(); left > 0; left -= 1) {
    const channels = [];
    for (let more = reader.varint(); more > 0; more -= 1) channels.push(reader.varint());
    dependencies.push(channels);
  }
  const flags = reader.byte();
  if (flags > 3) throw RangeError(`byte ${quote(flags)} has no flags of a vat's ports`);
  return {
    ...{ inputs, outputs, actions, dependencies },
    ...{ mayRequestStop: (flags & 1) !== 0, hasRoot: (flags & 2) !== 0 },
  };
};

/** @param {ByteReader} reader @param {number[]} counts  to be replaced */
const readCounts = (reader, counts) => {
  for (let i = 0; i < reactorCounts.length; i += 1) counts[i] = reader.varint();
};

/**
 * @param {ByteWriter} writer
 * @param {ReactorReport} report
 */
export const writeReactorReport = (writer, report) => {
  const { isLoud, quiet, nextTimeNs, shape } = report;
  writer.byte(
    (isLoud ? loudFlag : 0) |
      (quiet.length > 0 ? quietFlag : 0) |
      (nextTimeNs >= 0 ? nextFlag : 0) |
      (shape === null ? 0 : shapeFlag),
  );
  writer.varint(report.timeNs);
  writer.varint(report.microstep);
  writer.varint(report.stage);
  if (quiet.length > 0) {
    writeQuiet(writer, quiet);
    writer.varints(report.quietCounts);
  }
  if (isLoud) writer.varints(report.counts);
  if (nextTimeNs >= 0) {
    writer.varint(nextTimeNs);
    writer.varint(report.nextMicrostep);
    writer.varint(report.nextStage);
  }
  if (shape !== null) writeShape(writer, shape);
};

/**
 * @param {ByteReader} reader
 * @param {ReactorReport} report  to be replaced; with room for `longestQuietRun` tags
 * @throws {RangeError} the bytes are no report
 */
export const readReactorReport = (reader, report) => {
  const flags = reader.byte();
  if (flags > allFlags) throw RangeError(`byte ${quote(flags)} begins no report of reactors`);
  report.isLoud = (flags & loudFlag) !== 0;
  report.timeNs = reader.varint();
  report.microstep = reader.varint();
  report.stage = reader.varint();
  report.quiet.clear();
  report.quietCounts.fill(0);
  report.counts.fill(0);
  if ((flags & quietFlag) !== 0) {
    readQuiet(reader, report.quiet);
    readCounts(reader, report.quietCounts);
  }
  if (report.isLoud) readCounts(reader, report.counts);
  const hasNext = (flags & nextFlag) !== 0;
  report.nextTimeNs = hasNext ? reader.varint() : -1;
  report.nextMicrostep = hasNext ? reader.varint() : 0;
  report.nextStage = hasNext ? reader.varint() : 0;
  report.shape = (flags & shapeFlag) === 0 ? null : readShape(reader);
};
