// Formats the lines of a slog. The run waits for this, so the parts of nearly every crank are written piece by piece;
// rare parts use `JSON.stringify`.

import { byInput, kernelStepRecord } from '#kernel';
import { findDeliveryKind, findSyscallKind } from '#model';

/** @import { CrankResult, Flight, Item, Kernel } from '#kernel' */
/** @import { CapData, Delivery, Kind, Resolution, Syscall, TagLog } from '#model' */
/** @import { JsonBytes } from './json-bytes.js' */

/** Increased with every incompatible change. */
export const slogVersion = 2;

/** Names by the class numbers of items. */
const classNames = ['control', 'messages', 'reactions'];

const messages = 1;

const comma = 0x2c;
const closingBracket = 0x5d;

/** How the tuple of a kind begins. @type {Map<string, string>} */
const heads = new Map();

/** @param {string} name  of a kind */
const headOf = name => {
  const known = heads.get(name);
  if (known !== undefined) return known;
  const head = `["${name}"`;
  heads.set(name, head);
  return head;
};

/**
 * @param {JsonBytes} out
 * @param {string | null} kref
 * @param {string | null} vref  both were checked to need no escapes
 */
const writePair = (out, kref, vref) => {
  if (kref === null) {
    out.ascii('null');
    return;
  }
  out.pair(kref, /** @type {string} */ (vref));
};

/**
 * @param {JsonBytes} out
 * @param {CapData} data  in krefs
 * @param {CapData} vatData  the same in vrefs
 */
const writeData = (out, { body, slots }, { slots: vatSlots }) => {
  out.ascii('{"body":');
  out.string(body);
  out.ascii(',"slots":[');
  for (let i = 0; i < slots.length; i += 1) {
    if (i > 0) out.code(comma);
    writePair(out, slots[i], vatSlots[i]);
  }
  out.ascii(']}');
};

/**
 * @param {JsonBytes} out
 * @param {readonly Resolution[]} resolutions  in krefs
 * @param {readonly Resolution[]} vatResolutions  in vrefs
 */
const writeResolutions = (out, resolutions, vatResolutions) => {
  out.ascii('[');
  for (let i = 0; i < resolutions.length; i += 1) {
    const resolution = resolutions[i];
    const vatResolution = vatResolutions[i];
    out.ascii(i > 0 ? ',[' : '[');
    writePair(out, resolution[0], vatResolution[0]);
    out.ascii(resolution[1] ? ',true,' : ',false,');
    writeData(out, resolution[2], vatResolution[2]);
    out.code(closingBracket);
  }
  out.code(closingBracket);
};

/**
 * Write a list of values on ports, or of references.
 *
 * @template T
 * @param {JsonBytes} out
 * @param {readonly T[]} list
 * @param {(at: number) => void} writeOne
 */
const writeList = (out, list, writeOne) => {
  out.ascii('[');
  for (let i = 0; i < list.length; i += 1) {
    if (i > 0) out.code(comma);
    writeOne(i);
  }
  out.code(closingBracket);
};

/**
 * Write a delivery or a syscall by the fields of its kind, each reference as a pair.
 *
 * @param {JsonBytes} out
 * @param {Kind} kind
 * @param {readonly any[]} tuple  in krefs
 * @param {readonly any[]} inVat  the same in vrefs
 */
const writeTuple = (out, { name, fields }, tuple, inVat) => {
  out.ascii(headOf(name));
  for (let i = 1; i <= fields.length; i += 1) {
    const value = tuple[i];
    const vatValue = inVat[i];
    out.code(comma);
    switch (fields[i - 1]) {
      case 'ref':
      case 'result':
        writePair(out, value, vatValue);
        break;
      case 'data':
        writeData(out, value, vatValue);
        break;
      case 'resolutions':
        writeResolutions(out, value, vatValue);
        break;
      case 'refs':
        writeList(out, value, at => writePair(out, value[at], vatValue[at]));
        break;
      case 'values':
        writeList(out, value, at => {
          out.ascii('[');
          out.integer(value[at][0]);
          out.code(comma);
          writeData(out, value[at][1], vatValue[at][1]);
          out.code(closingBracket);
        });
        break;
      case 'text':
        out.string(value);
        break;
      default:
        out.json(value);
    }
  }
  out.code(closingBracket);
};

/**
 * Write the first line of a process: version, profile, names of vats and devices.
 *
 * @param {JsonBytes} out
 * @param {Kernel} kernel
 * @param {object} times
 * @param {string} times.clock  name of the clock of durations
 * @param {number} times.timeMs  since 1970
 */
export const writeHead = (out, kernel, { clock, timeMs }) => {
  out.json({
    type: 'slog',
    version: slogVersion,
    profile: kernel.profile.name,
    crankNum: kernel.cranks.all,
    vats: Object.fromEntries(kernel.vats().map(({ vatId, name }) => [vatId, name])),
    devices: Object.fromEntries(kernel.devices().map(({ deviceId, name }) => [deviceId, name])),
    clock,
    time: timeMs,
  });
  out.ascii('\n');
};

/**
 * The reference that a delivery shows first; an item's target is written only where it is another.
 *
 * @param {Delivery | undefined} delivery
 */
const firstReference = delivery => {
  if (delivery === undefined) return '';
  if (delivery[0] === 'message') return delivery[1];
  return delivery[0] === 'notify' ? delivery[1][0][0] : '';
};

/**
 * The cause of an item. Reactions follow from the tables, and a vat that starts outside of cranks has no item.
 *
 * @param {JsonBytes} out
 * @param {Item} item
 */
const writeCause = (out, { kind, causeNumber, causePlace }) => {
  if (kind === undefined || kind === 'react') return;
  out.ascii(causePlace === byInput ? ',"causeInput":' : ',"causeCrank":');
  out.integer(causeNumber);
  if (causePlace < 0) return;
  out.ascii(',"causeSyscall":');
  out.integer(causePlace);
};

/**
 * The beginning of a crank's line: the item, and what it delivers.
 *
 * @param {JsonBytes} out
 * @param {Flight} flight
 * @param {number} crankNum
 * @param {string | undefined} newName  of the vat, if the slog has not named it yet
 */
export const writeBegin = (out, { item, found, plan, vatId }, crankNum, newName) => {
  out.ascii('{"type":"crank","crankNum":');
  out.integer(crankNum);
  out.ascii(',"kind":"');
  // A vat that is started outside of cranks has no item.
  out.ascii(item.kind ?? 'start');
  out.ascii('"');
  if (item.target && item.target !== firstReference(plan?.kernelDelivery)) {
    out.ascii(',"target":');
    out.string(item.target);
  }
  if (item.timeNs !== 0) {
    out.ascii(',"timeNs":');
    out.integer(item.timeNs);
  }
  out.ascii(',"microstep":');
  out.integer(item.microstep);
  if (item.class !== messages) {
    out.ascii(',"class":"');
    out.ascii(classNames[item.class ?? 0]);
    out.ascii('"');
  }
  if (item.stage !== 0) {
    out.ascii(',"stage":');
    out.integer(item.stage);
  }
  writeCause(out, item);
  const vat = vatId || item.vatId;
  if (vat) {
    out.ascii(',"vatID":"');
    out.ascii(vat);
    out.ascii('"');
  }
  if (newName !== undefined) {
    out.ascii(',"name":');
    out.string(newName);
  }
  if (plan === null) {
    out.ascii(',"step":');
    out.json(kernelStepRecord(found).slice(1));
  } else {
    out.ascii(',"delivery":');
    const { kernelDelivery, vatDelivery } = plan;
    const kind = /** @type {Kind} */ (findDeliveryKind(kernelDelivery[0]));
    writeTuple(out, kind, kernelDelivery, vatDelivery);
  }
};

/**
 * The syscalls of a vat, and their answers.
 *
 * @param {JsonBytes} out
 * @param {readonly Syscall[]} applied
 * @param {CrankResult} result
 */
const writeResult = (out, applied, { syscalls, answers }) => {
  const { length } = syscalls;
  if (length > 0) {
    out.ascii(',"syscalls":[');
    for (let i = 0; i < length; i += 1) {
      if (i > 0) out.code(comma);
      // A syscall that was not applied was not checked either.
      const kind = i < applied.length ? findSyscallKind(syscalls[i][0]) : undefined;
      if (kind !== undefined) writeTuple(out, kind, applied[i], syscalls[i]);
      else out.json(syscalls[i]);
    }
    out.code(closingBracket);
  }
  if (answers.length > 0) {
    out.ascii(',"answers":');
    out.json(answers);
  }
};

/**
 * The outcome of the delivery.
 *
 * @param {JsonBytes} out
 * @param {Flight} flight
 */
export const writeEffects = (out, flight) => {
  const { result, applied, deviceSends, births } = flight;
  if (result !== null) writeResult(out, ownSyscalls(flight), result);
  if (deviceSends.length > 0) {
    out.ascii(',"deviceSends":');
    out.json(deviceSends.map(place => applied[place]));
  }
  if (births.length > 0) {
    out.ascii(',"births":');
    out.json(births);
    // The syscalls of the new vats follow those of the crank's vat, if they start within the crank.
    const ofBirths = ownSyscalls(flight).slice(result?.syscalls.length ?? 0);
    if (ofBirths.length > 0) {
      out.ascii(',"birthSyscalls":');
      out.json(ofBirths);
    }
  }
};

/**
 * The applied syscalls, without sends of devices.
 *
 * @param {Flight} flight
 */
const ownSyscalls = ({ applied, deviceSends }) => {
  if (deviceSends.length === 0) return applied;
  const places = new Set(deviceSends);
  return applied.filter((_, place) => !places.has(place));
};

/**
 * Write the end of a crank's line.
 *
 * @param {JsonBytes} out
 * @param {Flight} flight
 * @param {number} vatNs  -1 if no vat was reached
 * @param {number} ns
 */
export const writeFinish = (out, { fault, outcome }, vatNs, ns) => {
  if (outcome !== 'kept') {
    out.ascii(',"outcome":"');
    out.ascii(outcome);
    out.ascii('"');
  }
  if (fault !== null) {
    out.ascii(',"fault":');
    out.string(fault);
  }
  if (vatNs >= 0) {
    out.ascii(',"vatNs":');
    out.integer(vatNs);
  }
  out.ascii(',"ns":');
  out.integer(ns);
  out.ascii('}\n');
};

/**
 * Write the end of the line of a crank in which the run was stopped.
 *
 * @param {JsonBytes} out
 */
export const writeUnfinished = out => out.ascii(',"outcome":"unfinished"}\n');

/**
 * Write the line of cranks that a vat's reactors ran by themselves without syscalls.
 *
 * @param {JsonBytes} out
 * @param {string} vatId
 * @param {TagLog} quiet
 * @param {object} told
 * @param {number} told.crankNum  the last of them
 * @param {string | undefined} told.newName  of the vat, if the slog has not named it yet
 */
export const writeQuiet = (out, vatId, quiet, { crankNum, newName }) => {
  out.ascii('{"type":"quiet","crankNum":');
  out.integer(crankNum);
  out.ascii(',"vatID":"');
  out.ascii(vatId);
  out.ascii('"');
  if (newName !== undefined) {
    out.ascii(',"name":');
    out.string(newName);
  }
  out.ascii(',"tags":[');
  let before = '[';
  quiet.each((timeNs, microstep, stage) => {
    out.ascii(before);
    out.integer(timeNs);
    out.code(comma);
    out.integer(microstep);
    out.code(comma);
    out.integer(stage);
    out.code(closingBracket);
    before = ',[';
  });
  out.ascii(']}\n');
};

/**
 * @param {JsonBytes} out
 * @param {number} crankNum  the last of the block
 * @param {number} ns
 * @param {number} timeMs  since 1970
 */
export const writeCommit = (out, crankNum, ns, timeMs) => {
  out.ascii('{"type":"commit","crankNum":');
  out.integer(crankNum);
  out.ascii(',"ns":');
  out.integer(ns);
  out.ascii(',"time":');
  out.integer(timeMs);
  out.ascii('}\n');
};
