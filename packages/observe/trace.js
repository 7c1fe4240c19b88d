// The trace of a run for Perfetto (packages/observe/perfetto): cranks of all vats, and within them reactions, by
// logical and by physical time. The kernel reports cranks, the vats' schedulers report reactions; the clock is here.
//
// Cranks that a vat's reactors ran by themselves come as one result. The duration of each is that of its reactions,
// which were reported before; a crank without reactions has length 0.

import { methodNameOf } from '#kernel';
import { makeFlows, makePacketWriter, makeTimelines } from './perfetto/index.js';
import { PendingReactions } from './pending-reactions.js';

/** @import { CrankObserver, Flight, Kernel } from '#kernel' */
/** @import { Place, PendingReaction } from './pending-reactions.js' */
/** @import { Clock } from './clock.js' */
/** @import { ReactionObserver, WorkerObserver } from '#host/reaction-watch.js' */

/**
 * @typedef {object} Trace  its first four parts are options of `makeSimulation`
 * @property {CrankObserver} crankObserver
 * @property {(vatId: string) => ReactionObserver} observeReactions
 * @property {WorkerObserver} observeWorkers  each worker thread has a row by physical time
 * @property {(kernel: Kernel) => void} onKernel
 * @property {() => void} close  write the buffered rest; to be called at the end of the run, also after an error
 */

/**
 * @param {object} powers
 * @param {(piece: any) => void} powers.write  called with pieces of the file, in order; an error of it ends the run
 * @param {'json' | 'pftrace'} [powers.format]  trace events (default), or Perfetto's packets
 * @param {Clock} powers.clock  times count from now
 * @returns {Trace}
 */
export const makeTrace = ({ write, format = 'json', clock }) => {
  const beginNs = clock.nowNs();
  const nowNs = () => clock.nowNs() - beginNs;
  const timelines = makeTimelines(format === 'pftrace' ? makePacketWriter(write) : write);
  /** @type {Kernel | undefined} */
  let kernel;
  const flows = makeFlows(promise => kernel?.promiseStatus(promise).state !== 'unresolved');
  const pending = new PendingReactions();
  let tagNs = -1;
  let tagMicrostep = -1;
  let crank = 0;
  let stage = 0;
  let startNs = 0;
  let deliveredNs = -1;
  let commitNs = 0;
  /** @type {ReturnType<Kernel['counters']['find']> | undefined} index of the counter of the run queue */
  let queueAt;

  /** @param {string} vatId */
  const nameVat = vatId => kernel?.vatName(vatId) ?? vatId;

  /** @param {{ timeNs: number, microstep: number }} tag */
  const moveTo = ({ timeNs, microstep }) => {
    if (timeNs === tagNs && microstep === tagMicrostep) return;
    tagNs = timeNs;
    tagMicrostep = microstep;
    timelines.tag(timeNs, microstep);
  };

  /** @param {string} vat  its name @param {PendingReaction[]} reactions */
  const recordReactions = (vat, reactions) => {
    for (const { reaction, startNs: fromNs, endNs, isLate } of reactions) {
      const { track, name, level } = reaction;
      timelines.record({
        track: `${vat}: ${track}`,
        name: isLate ? `${name}, late` : name,
        startNs: fromNs,
        endNs,
        args: { level, ...(isLate && { late: true }) },
      });
    }
  };

  const crankObserver = Object.freeze({
    /** @type {NonNullable<CrankObserver['begins']>} */
    begins({ vatId, item }, number) {
      crank = number;
      // Read the tag now: when the crank is applied, an item of reactors moves to their next tag.
      moveTo(item);
      stage = item.stage;
      deliveredNs = -1;
      // Reactions began before the crank was reported.
      startNs = pending.startNs(vatId) ?? nowNs();
    },
    /** @type {NonNullable<CrankObserver['ran']>} */
    ran({ vatId }, quiet) {
      const vat = nameVat(vatId);
      let number = (kernel?.cranks.all ?? quiet.length) - quiet.length;
      let atNs = pending.startNs(vatId) ?? nowNs();
      quiet.each((timeNs, microstep, ofStage) => {
        /** @type {Place} */
        const place = { timeNs, microstep, stage: ofStage };
        number += 1;
        const reactions = pending.takeCrank(vatId, place);
        moveTo(place);
        const beganNs = reactions[0]?.startNs ?? atNs;
        atNs = reactions.at(-1)?.endNs ?? beganNs;
        timelines.record({
          ...{ track: vat, name: 'react', startNs: beganNs, endNs: atNs },
          args: { crank: number, stage: place.stage },
        });
        recordReactions(vat, reactions);
      });
    },
    delivered() {
      deliveredNs = nowNs();
    },
    /** @type {NonNullable<CrankObserver['applied']>} */
    applied(flight) {
      const { vatId, plan, result, outcome, fault } = flight;
      const endNs = nowNs();
      const track = findTrack(flight);
      const isReact = plan?.kernelDelivery[0] === 'react';
      timelines.record({
        ...{ track, name: nameCrank(flight), startNs, endNs },
        args: {
          crank,
          ...(isReact && { stage }),
          ...(result !== null && { syscalls: result.syscalls.length }),
          ...(!isReact &&
            deliveredNs >= 0 && { 'in the vat, ns': Math.round(deliveredNs - startNs) }),
          ...(outcome !== 'kept' && { outcome }),
          ...(fault !== null && { fault }),
        },
        flows: flows.of(flight, crank),
      });
      countQueue(endNs);
      recordReactions(track, pending.takeAll(vatId));
    },
    commits() {
      commitNs = nowNs();
    },
    committed() {
      const endNs = nowNs();
      timelines.aside({ track: 'commits', name: 'commit', startNs: commitNs, endNs });
      timelines.count('memory', 'bytes', endNs, process.memoryUsage.rss());
    },
  });

  /** @param {number} atNs */
  const countQueue = atNs => {
    if (kernel === undefined) return;
    queueAt ??= kernel.counters.find('runQueueLength');
    timelines.count('run queue', 'items', atNs, kernel.counters.numbers[queueAt]);
  };

  /** The track of a crank. @param {Flight} flight */
  const findTrack = ({ vatId, found }) => {
    if (vatId !== '') return nameVat(vatId);
    return found.step === 'wake' && kernel !== undefined
      ? `device ${kernel.deviceName(found.deviceId)}`
      : 'kernel';
  };

  return Object.freeze({
    crankObserver,
    onKernel: (/** @type {Kernel} */ made) => {
      kernel = made;
    },
    observeReactions: vatId => pending.observe(vatId, nowNs),
    observeWorkers: {
      nowNs,
      ran: (worker, vatId, fromNs, endNs) =>
        timelines.aside({
          track: `worker ${worker}`,
          name: nameVat(vatId),
          startNs: fromNs,
          endNs,
        }),
    },
    close: () => timelines.close(),
  });
};

/** @param {Flight} flight */
const nameCrank = ({ plan, found }) => {
  if (plan === null) return found.step;
  const { kernelDelivery } = plan;
  switch (kernelDelivery[0]) {
    case 'message':
      return methodNameOf(kernelDelivery[2]);
    case 'startVat':
      return 'start';
    default:
      return kernelDelivery[0];
  }
};
