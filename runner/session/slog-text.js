// Formats cranks of a slog. Text of vats is escaped for the terminal before it gets a colour.

import { formatDuration, showInLine } from '#model';
import { showData } from '#host/explain/show-data.js';
import { krefOf, methodOf } from '#observe/slog';

/** @import { SlogCrank } from '#observe/slog' */
/** @import { Format, Paint } from '../color.js' */
/** @import { ShownCrank } from './slog-select.js' */

/** The longest text of a value, in characters. */
const longestValue = 120;

/** @type {Record<string, Format>} */
const kindFormats = {
  send: 'cyan',
  notify: 'green',
  wake: 'yellow',
  react: 'magenta',
  quiet: 'magenta',
};

const listOf = (/** @type {unknown} */ value) => (Array.isArray(value) ? value : []);

/** Formats a word or a number of a slog; '' for any other value, which a file may contain. @param {unknown} value */
const plain = value => (value === null || typeof value === 'object' ? '' : String(value));

/** @param {unknown} data */
const showValue = data => {
  const { body, slots } = /** @type {any} */ (data ?? {});
  if (typeof body !== 'string') return '';
  const krefs = listOf(slots).map(krefOf);
  return showInLine(showData({ body, slots: krefs }), longestValue);
};

/** Formats a method and its arguments: `greet("ann", [purse ko23])`. @param {unknown} data */
const showCall = data => {
  const method = methodOf(data);
  const text = showValue(data);
  // The value is an array of the method and the arguments.
  const inside = /^\[ ?(?:'[^']*'|"[^"]*"|[^,]*), \[ ?(.*?) ?\] ?\]$/s.exec(text)?.[1];
  if (method === '' || inside === undefined) return text;
  return `${showInLine(method, 100)}(${inside})`;
};

/** @param {unknown} result  a pair, or null */
const showResult = result => {
  const kref = krefOf(result);
  return kref === '' ? '' : ` → ${showInLine(kref, 40)}`;
};

/** @param {unknown} resolutions */
const showResolutions = resolutions =>
  listOf(resolutions)
    .map(each => {
      const [pair, isRejected, data] = listOf(each);
      const how = isRejected === true ? 'rejected with' : 'is';
      return `${showInLine(krefOf(pair), 40)} ${how} ${showValue(data)}`;
    })
    .join('; ');

/** Formats a delivery, syscall or step. @param {any[]} tuple */
const showTuple = tuple => {
  const [name, first, second, result] = tuple;
  switch (name) {
    case 'message':
    case 'send':
      return `${showInLine(krefOf(first), 40)}.${showCall(second)}${showResult(result)}`;
    case 'notify':
    case 'resolve':
      return showResolutions(first);
    case 'subscribe':
      return showInLine(krefOf(first), 40);
    default: {
      const rest = tuple.slice(1).map(each => {
        if (Array.isArray(each))
          return each.map(one => (typeof one === 'string' ? krefOf(one) : '')).join(' ');
        return typeof each === 'string' ? krefOf(each) : showValue(each) || plain(each);
      });
      return showInLine(rest.map(plain).join(' '), longestValue);
    }
  }
};

/** @param {SlogCrank} crank */
const showVat = ({ vatId, vatName }) =>
  vatId === ''
    ? ''
    : ` ${showInLine(vatId, 20)}${vatName === '' ? '' : ` ${showInLine(vatName, 60)}`}`;

/** Formats a delivery, or the outcome of an item without one. @param {SlogCrank} crank */
const showDelivery = ({ kind, record }) => {
  const { delivery, step, tag } = record;
  if (kind === 'quiet') return ` at ${listOf(tag).map(plain).join('.')}`;
  if (Array.isArray(delivery)) {
    const shown = showTuple(delivery);
    return shown === '' ? '' : `: ${shown}`;
  }
  return step === undefined ? '' : `: ${showInLine(listOf(step).map(plain).join(' '), 200)}`;
};

/** @param {SlogCrank['record']} record @param {Paint} paint */
const showEnd = ({ outcome, fault, ns }, paint) => {
  const time = Number.isFinite(ns) ? paint('dim', `  ${formatDuration(Math.round(ns))}`) : '';
  const bad = [outcome, fault].filter(each => typeof each === 'string' && each !== 'kept');
  return bad.length === 0
    ? time
    : `${time}  ${paint('red', showInLine(bad.join(': '), longestValue))}`;
};

/** @param {ShownCrank} shown @param {Paint} paint */
const showCauses = ({ causes }, paint) =>
  causes.length === 0
    ? ''
    : paint(
        'dim',
        `  ← ${causes.map(({ crankNum, how }) => `#${crankNum} ${showInLine(how, 60)}`).join(', ')}`,
      );

/**
 * Format a crank in one line, without the newline.
 *
 * @param {SlogCrank} crank
 * @param {Paint} paint
 */
const showCrank = (crank, paint) => {
  const { crankNum, kind, record } = crank;
  const shown = paint(kindFormats[kind] ?? 'blue', showInLine(kind, 30));
  return `${paint('bold', `#${crankNum}`)} ${shown}${showVat(crank)}${showDelivery(crank)}${showEnd(record, paint)}`;
};

/**
 * Format a crank, with one line for each system call.
 *
 * @param {ShownCrank} shown
 * @param {object} options
 * @param {Paint} options.paint
 * @param {boolean} options.isBrief  without system calls
 * @returns {string} lines, each with a newline
 */
export const formatCrank = (shown, { paint, isBrief }) => {
  const { crank } = shown;
  const head = `${showCrank(crank, paint)}${showCauses(shown, paint)}\n`;
  if (isBrief) return head;
  const { syscalls, deviceSends, birthSyscalls } = crank.record;
  const lines = [
    ...listOf(syscalls).map(each => ['', each]),
    ...listOf(deviceSends).map(each => ['device ', each]),
    ...listOf(birthSyscalls).map(each => ['new vat ', each]),
  ].map(
    ([who, each]) =>
      `    ${who}${showInLine(plain(listOf(each)[0]), 40)} ${showTuple(listOf(each))}\n`,
  );
  return head + lines.join('');
};

/**
 * Format the causes and effects of a crank.
 *
 * @param {ReturnType<typeof import('./slog-select.js').followCrank>} found
 * @param {number} wanted
 * @param {Paint} paint
 */
export const formatFollowed = ({ causes, effects, left }, wanted, paint) => {
  const how = (/** @type {string} */ text) =>
    text === '' ? '' : paint('dim', `  (${showInLine(text, 60)})`);
  const lines = [
    paint('bold', `Causes of crank ${wanted}:`),
    ...causes.map(({ crank, how: text }) => `  ${showCrank(crank, paint)}${how(text)}`),
    '',
    paint('bold', effects.length === 0 ? 'It caused no other crank.' : 'Effects:'),
    ...effects.map(
      ({ crank, depth, how: text }) =>
        `${'  '.repeat(depth)}${showCrank(crank, paint)}${how(text)}`,
    ),
    ...(left > 0 ? [`  and more effects: --depth N shows longer chains`] : []),
  ];
  return lines.map(line => `${line}\n`).join('');
};
