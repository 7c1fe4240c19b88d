// A readable listing of a kernel's tables, for people who debug a run.

import { audit, rawTables } from '#kernel';
import { compareIds, countOf, showInLine } from '#model';
import { describeEngines } from './engine-facts.js';

/** @import { CapData } from '#model' */
/** @import { Kernel } from '#kernel' */

/** Characters of data that are shown. */
const maxDataLength = 100;

/** @param {string} text */
const shorten = text =>
  text.length > maxDataLength
    ? `${showInLine(text.slice(0, maxDataLength))}… (${text.length} characters)`
    : showInLine(text);

/** References, vats and the like that are shown of a list; the rest are counted. */
const maxListed = 20;

/** @param {readonly string[]} list */
const showList = list =>
  list.length > maxListed
    ? `${list.slice(0, maxListed).join(' ')} and ${list.length - maxListed} more`
    : list.join(' ');

/** @param {CapData} data */
const showData = ({ body, slots }) =>
  slots.length === 0 ? shorten(body) : `${shorten(body)} slots ${showList(slots)}`;

/** @param {Iterable<string>} ids */
const sorted = ids => [...ids].sort(compareIds);

/** @param {string} title @param {string[]} lines */
const section = (title, lines) => [
  `${title}${lines.length === 0 ? ': none' : ''}`,
  ...lines.map(line => `  ${line}`),
];

/** @param {Kernel} kernel @returns {string[]} */
const listVats = kernel =>
  kernel.vats().map(({ vatId, name, state, isBuiltIn }) => {
    const notes = [isBuiltIn ? 'built-in' : '', state === 'ended' ? 'ended' : ''].filter(Boolean);
    return `${vatId} ${showInLine(name, maxDataLength)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
  });

/** @param {Kernel} kernel @returns {string[]} */
const listObjects = ({ state }) =>
  sorted(state.owners.keys()).map(kref => {
    const owner = state.owners.get(kref) ?? '';
    const name = state.vats.vats.get(owner)?.name ?? state.vats.devices.get(owner)?.name ?? '';
    return `${kref} of ${owner} ${showInLine(name, maxDataLength)}`.trimEnd();
  });

/** @param {Kernel} kernel @returns {string[]} */
const listPromises = ({ state }) =>
  sorted(state.promises.table.keys()).map(kref => {
    const row = state.promises.require(kref);
    if (row.state !== 'unresolved') {
      const data = row.data === null ? '' : ` ${showData(row.data)}`;
      return `${kref} ${row.state}${data}, ${countOf(row.refCount, 'reference')}`;
    }
    const parts = [
      row.decider === '' ? 'in the queue' : `decided by ${row.decider}`,
      ...(row.subscribers.length > 0 ? [`followed by ${showList(row.subscribers)}`] : []),
      ...(row.parked.length > 0 ? [`${countOf(row.parked.length, 'message')} sent to it`] : []),
      countOf(row.refCount, 'reference'),
    ];
    return `${kref} unresolved, ${parts.join(', ')}`;
  });

/** @param {Kernel} kernel @param {string} id @returns {string[]} */
const listCList = ({ state }, id) => {
  const clist = state.vats.clist(id);
  const pairs = new Map([...clist.pairs()].map(({ kref, vref }) => [kref, vref]));
  return sorted(pairs.keys()).map(kref => `${kref} = ${pairs.get(kref)}`);
};

/** @param {Kernel} kernel @returns {string[]} */
const listQueue = ({ state }) =>
  [...state.queue.inOrder()].map(({ kind, vatId, target, message, timeNs, microstep }) => {
    const tag = `(${timeNs}, ${microstep})`;
    if (message !== null) {
      const result = message.result === null ? '' : ` → ${message.result}`;
      return `${tag} ${kind} to ${target}: ${showData(message.methargs)}${result}`;
    }
    // Steps of object collection name many objects.
    return `${tag} ${kind} ${showList([vatId, ...target.split(' ')].filter(Boolean))}`;
  });

/**
 * List vats, devices, objects, promises, c-lists, the queue and the engines that ran the state, one line each.
 *
 * @param {Kernel} kernel
 * @returns {string}
 */
export const dumpKernel = kernel => {
  const { all, control } = kernel.cranks;
  const owners = [
    ...kernel.vats().map(({ vatId }) => vatId),
    ...sorted(kernel.state.vats.deviceIds()),
  ];
  return [
    `profile ${kernel.profile.name}, ${all} cranks, ${control} of them control cranks`,
    ...section('vats', listVats(kernel)),
    ...section(
      'devices',
      kernel
        .devices()
        .map(({ deviceId, name }) => `${deviceId} ${showInLine(name, maxDataLength)}`),
    ),
    ...section('objects', listObjects(kernel)),
    ...section('promises', listPromises(kernel)),
    ...owners.flatMap(id => section(`c-list of ${id}`, listCList(kernel, id))),
    ...section('queue', listQueue(kernel)),
    ...section('engines', describeEngines(kernel)),
    '',
  ].join('\n');
};

/**
 * Keys and values in the store's form, a line each: the key, a tab, the value as JSON. A file of it is safe for a
 * terminal, too: characters that are not are escaped, as JSON permits.
 *
 * @param {Kernel} kernel  between cranks
 */
export const dumpRaw = kernel =>
  rawTables(kernel.state)
    .map(
      ([key, value]) =>
        `${showInLine(key, Infinity)}\t${showInLine(JSON.stringify(value), Infinity)}\n`,
    )
    .join('');

/** Differences that are listed; the rest are counted. */
const maxDifferences = 10;

/**
 * Audit the tables: count everything again.
 *
 * @param {Kernel} kernel  between cranks
 * @returns {string | undefined} the differences, a line each; undefined if there are none
 */
export const findDifferences = kernel => {
  const differences = audit(kernel.state);
  if (differences.length === 0) return undefined;
  const named = differences.slice(0, maxDifferences);
  const rest = differences.length - named.length;
  return [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
};
