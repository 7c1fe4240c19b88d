// Describes the real kernel in the form in which the reference kernel describes itself.

import { ByteReader } from '#model';

/** @import { Kernel } from '#kernel' */
/** @import { AgendaRow, ReactorRow } from '../../kernel/reactors/reactor-rows.js' */
/** @import { Store } from '#store' */

const byNumber = (/** @type {[string, ...any]} */ [a], /** @type {[string, ...any]} */ [b]) =>
  Number(a.replace(/\D/g, '')) - Number(b.replace(/\D/g, ''));
const byText = (/** @type {[string, ...any]} */ [a], /** @type {[string, ...any]} */ [b]) =>
  a < b ? -1 : a > b ? 1 : 0;

/** @param {Kernel['state']} state @param {string} id */
const describeList = ({ vats }, id) => {
  const clist = vats.findParts(id)?.clist;
  const numbering = clist?.numbering.get('');
  if (clist === undefined || numbering === undefined) return undefined;
  const { nextObject, nextPromise, nextDevice, seenObjects } = numbering;
  const pairs = clist
    .pairs()
    .map(({ vref, kref, isReachable }) => [vref, { kref, reachable: isReachable }]);
  return {
    ...{ nextObject, nextPromise, nextDevice, seenObjects },
    pairs: /** @type {[string, object][]} */ (pairs).sort(byText),
  };
};

/** @param {string} vatId @param {ReactorRow} row @param {AgendaRow | undefined} agenda */
const describeReactor = (vatId, row, agenda) => {
  if (agenda === undefined) throw Error(`${vatId} has reactors and no agenda`);
  const { ownTimeNs, ownMicrostep, ownStage, stopTimeNs, stopMicrostep } = agenda;
  const own = { timeNs: ownTimeNs, microstep: ownMicrostep, stage: ownStage };
  const stop = { timeNs: stopTimeNs, microstep: stopMicrostep };
  return {
    ...{ vatId, shape: row.shape, stages: [...row.stages], program: `v${row.program}` },
    ...{ isStopping: agenda.isStopping, knowsStages: agenda.knowsStages },
    ...{ callsDevices: row.canCallDevice, quiet: agenda.quiet },
    own: ownTimeNs < 0 ? null : own,
    stop: stopTimeNs < 0 ? null : stop,
    links: row.targets.map(each =>
      each.map(({ vatId: to, channel, delayNs, isPhysical }) => ({
        ...{ to, channel, afterNs: delayNs, isPhysical },
      })),
    ),
    values: [...agenda.values].map(({ timeNs, microstep, stage, channel, data }) => ({
      ...{ timeNs, microstep, stage, channel, data },
    })),
  };
};

/** The kernel's own numbers, by name. @param {Store} store */
const readFigures = store => {
  const names = store.get('kernel.figures.names')?.split(' ') ?? [];
  const reader = new ByteReader(store.getBytes('kernel.figures') ?? new Uint8Array());
  return Object.fromEntries(names.map(name => [name, reader.varint()]));
};

/**
 * @param {Kernel} kernel  just committed
 * @param {Store} store  of its own
 */
export const describeKernel = (kernel, store) => {
  const { state } = kernel;
  const figures = readFigures(store);
  const { promises, vats, queue, vatstore, reactors } = state;
  return {
    next: {
      ...{ object: figures.nextObject, promise: figures.nextPromise },
      ...{ device: figures.nextDevice, vat: figures.nextVat, item: figures.nextItem },
      ...{ input: figures.nextInput, handOut: figures.nextHandOut },
    },
    cranks: kernel.cranks,
    ...{ timeNs: kernel.now.timeNs, microstep: kernel.now.microstep },
    hash: kernel.activityHash(),
    counters: kernel.counters.toRecord(),
    owners: [...state.owners.entries()].sort(byText),
    held: [...state.held.entries()].sort(byText),
    promises: [...promises.table.entries()].sort(byNumber).map(([kpid, row]) => ({
      ...{ kpid, refCount: row.refCount, state: row.state, decider: row.decider },
      ...{ subscribers: [...row.subscribers], data: row.data },
      isUncounted: row.isUncounted,
      parked: row.parked.map(({ methargs, result }) => ({ methargs, result })),
    })),
    reactions: [...queue.inOrder()]
      .filter(({ kind }) => kind === 'react')
      .map(({ vatId, timeNs, microstep, stage, class: itemClass }) => ({
        ...{ vatId, timeNs, microstep, stage, class: itemClass },
      })),
    reactors: [...reactors.rows.entries()]
      .sort(byNumber)
      .map(([vatId, row]) => describeReactor(vatId, row, reactors.agendas.get(vatId))),
    queue: [...queue.inOrder()]
      .filter(({ kind }) => kind !== 'react')
      .map(item => ({
        ...{ seq: item.seq, kind: item.kind, vatId: item.vatId, target: item.target },
        ...{ message: item.message, timeNs: item.timeNs, microstep: item.microstep },
        class: item.class,
      })),
    vats: kernel.vats().map(({ vatId, state: vatState, holdsDevice, ...vat }) => ({
      ...{ vatId, state: vatState, holdsDevice, isEnding: vats.ending.has(vatId) },
      ...{ name: vat.name, isStatic: vat.isStatic, source: vat.source },
      ...{ incarnation: vat.incarnation, firstPromise: vat.firstPromise ?? 0 },
      parameters: { body: vat.parameters, slots: [...vat.parameterSlots] },
      list: describeList(state, vatId),
      store: vatstore.keys(vatId).map(key => [key, vatstore.get(vatId, key)]),
      transcript: Buffer.from(state.readStream(kernel.transcriptStream(vatId))).toString('hex'),
    })),
    devices: kernel.devices().map(({ deviceId: id }) => ({
      ...{ id, list: describeList(state, id) },
      store: vatstore.keys(id).map(key => [key, vatstore.get(id, key)]),
    })),
    outbox: [...store.entries('local.outbox.')].map(([key, text]) => [
      Number(key.replace(/\D/g, '')),
      ...JSON.parse(text),
    ]),
    inputs: kernel.inputs(),
  };
};
