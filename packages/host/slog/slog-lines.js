// The lines of a slog as text. A crank is formatted while the run waits, so the shapes that nearly every crank has
// are put together by hand, and the rest is left to `JSON.stringify`.

import { kernelStepRecord } from '#kernel';

/** @import { CrankResult, Flight, Kernel } from '#kernel' */
/** @import { Answer, CapData, Delivery, Resolution, Syscall } from '#model' */

/** Grows with every change that could surprise a reader. */
export const slogVersion = 1;

/** By number, as items have them. */
const classNames = ['control', 'messages', 'reactions'];

let lastText = '';
let lastQuoted = '""';

/**
 * A text as JSON. Each body is written twice, in krefs and in vrefs, so the last one is kept.
 *
 * @param {string} text
 */
const quoteText = text => {
  if (text === lastText) return lastQuoted;
  lastText = text;
  lastQuoted = JSON.stringify(text);
  return lastQuoted;
};

/** @param {readonly string[]} refs  krefs or vrefs that were checked: nothing in them is escaped */
const formatRefs = refs => {
  if (refs.length === 0) return '[]';
  if (refs.length === 1) return `["${refs[0]}"]`;
  return `["${refs.join('","')}"]`;
};

/** @param {CapData} data */
const formatData = ({ body, slots }) => `{"body":${quoteText(body)},"slots":${formatRefs(slots)}}`;

/** @param {string | null} ref */
const formatResult = ref => (ref === null ? 'null' : `"${ref}"`);

/** @param {Resolution} resolution */
const formatResolution = ([ref, rejected, data]) => `["${ref}",${rejected},${formatData(data)}]`;

/** @param {Resolution[]} resolutions */
const formatResolutions = resolutions =>
  resolutions.length === 1
    ? `[${formatResolution(resolutions[0])}]`
    : `[${resolutions.map(formatResolution).join(',')}]`;

/** @param {Delivery} delivery */
const formatDelivery = delivery => {
  switch (delivery[0]) {
    case 'message':
      return `["message","${delivery[1]}",${formatData(delivery[2])},${formatResult(delivery[3])}]`;
    case 'notify':
      return `["notify",${formatResolutions(delivery[1])}]`;
    default:
      return JSON.stringify(delivery);
  }
};

/** @param {Syscall} syscall  that was applied, so that its references were checked */
const formatSyscall = syscall => {
  switch (syscall[0]) {
    case 'send':
      return `["send","${syscall[1]}",${formatData(syscall[2])},${formatResult(syscall[3])}]`;
    case 'subscribe':
      return `["subscribe","${syscall[1]}"]`;
    case 'resolve':
      return `["resolve",${formatResolutions(syscall[1])}]`;
    default:
      return JSON.stringify(syscall);
  }
};

/**
 * The first line of a process: what it is, and who is who.
 *
 * @param {Kernel} kernel
 * @param {number} timeMs  since 1970
 */
export const formatHead = (kernel, timeMs) =>
  `${JSON.stringify({
    type: 'slog',
    version: slogVersion,
    profile: kernel.profile.name,
    crankNum: kernel.cranks.all,
    vats: Object.fromEntries(kernel.vats().map(({ vatId, name }) => [vatId, name])),
    devices: Object.fromEntries(kernel.devices().map(({ deviceId, name }) => [deviceId, name])),
    time: timeMs,
  })}\n`;

/**
 * The lines of a crank's beginning.
 *
 * @param {Flight} flight
 * @param {number} crankNum
 * @param {string | undefined} name  of the vat
 */
export const formatBegin = ({ item, found, plan, vatId }, crankNum, name) => {
  const where = `","crankNum":${crankNum}`;
  // A vat that is started outside of cranks has no item.
  const { kind = 'start', target = '' } = item;
  const vat = item.vatId ? `,"vatID":"${item.vatId}"` : '';
  const to = target === '' ? '' : `,"target":"${target}"`;
  const start = `{"type":"crank-start${where},"kind":"${kind}"${vat}${to},"timeNs":${item.timeNs},"microstep":${item.microstep},"class":"${classNames[item.class ?? 0]}","stage":${item.stage}}\n`;
  if (plan === null)
    return `${start}{"type":"kernel-step${where},"kd":${JSON.stringify(kernelStepRecord(found))}}\n`;
  const { kernelDelivery, vatDelivery } = plan;
  return `${start}{"type":"deliver${where},"vatID":"${vatId}","name":${JSON.stringify(name)},"kd":${formatDelivery(kernelDelivery)},"vd":${formatDelivery(vatDelivery)}}\n`;
};

/**
 * The lines of what a vat asked for: as it asked, and as far as it was applied in krefs too.
 *
 * @param {Flight} flight
 * @param {CrankResult} result
 * @param {number} crankNum
 */
export const formatSyscalls = (flight, { syscalls, answers }, crankNum) => {
  const { vatId } = flight;
  const applied = ownSyscalls(flight);
  const where = `{"type":"syscall","crankNum":${crankNum},"vatID":"${vatId}","syscallNum":`;
  let text = '';
  let answered = 0;
  for (let i = 0; i < syscalls.length; i += 1) {
    const syscall = syscalls[i];
    // What was not applied was not checked either.
    const asked =
      i < applied.length
        ? `"ksc":${formatSyscall(applied[i])},"vsc":${formatSyscall(syscall)}`
        : `"vsc":${JSON.stringify(syscall)}`;
    let answer = '';
    if (hasAnswer(syscall) && answered < answers.length) {
      answer = `,"answer":${formatAnswer(answers[answered])}`;
      answered += 1;
    }
    text += `${where}${i},${asked}${answer}}\n`;
  }
  return text;
};

/**
 * What was applied without what devices sent, which the vat did not ask for.
 *
 * @param {Flight} flight
 */
const ownSyscalls = ({ applied, deviceSends }) =>
  deviceSends.length === 0 ? applied : applied.filter((_, place) => !deviceSends.includes(place));

/** @param {Syscall} syscall */
const hasAnswer = ([kind]) =>
  kind === 'vatstoreGet' || kind === 'vatstoreGetNextKey' || kind === 'callNow';

/** @param {Answer} answer */
const formatAnswer = answer => JSON.stringify(answer);

/**
 * The last line of a crank.
 *
 * @param {Flight} flight
 * @param {number} crankNum
 * @param {number} vatNs  -1 if no vat was reached
 * @param {number} ns
 */
export const formatFinish = ({ fault, outcome }, crankNum, vatNs, ns) => {
  const why = fault === null ? '' : `,"fault":${JSON.stringify(fault)}`;
  const vat = vatNs < 0 ? '' : `,"vatNs":${vatNs}`;
  return `{"type":"crank-finish","crankNum":${crankNum},"outcome":"${outcome}"${why}${vat},"ns":${ns}}\n`;
};

/**
 * @param {number} crankNum  the last of the block
 * @param {number} ns
 * @param {number} timeMs  since 1970
 */
export const formatCommit = (crankNum, ns, timeMs) =>
  `{"type":"commit","crankNum":${crankNum},"ns":${ns},"time":${timeMs}}\n`;
