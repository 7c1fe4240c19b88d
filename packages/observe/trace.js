// The trace of a run: cranks of all vats, and within them the reactions of reactors, by logical and by physical time, as a
// file for Perfetto (packages/observe/perfetto). The kernel tells of cranks, the vats' schedulers of reactions, the clock is here.
//
// Cranks that a vat's reactors ran by themselves come as one result. How long each took is known by its reactions, which
// were told meanwhile; one in which nothing reacted is drawn without a length.

import { methodNameOf } from '#kernel';
import { makeFlows, makePacketWriter, makeTimelines } from './perfetto/index.js';
import { PendingReactions } from './pending-reactions.js';

/** @import { CrankObserver, Flight, Kernel } from '#kernel' */
/** @import { Place, PendingReaction } from './pending-reactions.js' */
/** @import { Clock } from './clock.js' */
/** @import { ReactionObserver } from '#host/reaction-watch.js' */

/**
 * @typedef {object} Trace  its first three are options of `makeSimulation`
 * @property {CrankObserver} crankObserver
 * @property {(vatId: string) => ReactionObserver} observeReactions
 * @property {(kernel: Kernel) => void} onKernel
 * @property {() => void} close  write what is left; for the end, however the run ends
 */

/**
 * @param {object} powers
 * @param {(piece: any) => void} powers.write  called with pieces of the file, in order; what it throws ends the run
 * @param {'json' | 'pftrace'} [powers.format]  trace events, or Perfetto's packets; left out, trace events
 * @param {Clock} powers.clock  times count from now
 * @returns {Trace}
 */
export const makeTrace = ({ write, format = 'json', clock }) => {
  const beginNs = clock.nowNs();
  const nowNs = () => clock.nowNs() - beginNs;
  const timelines = makeTimelines(format === 'pftrace' ? makePacketWriter(write) : write);
  const flows = makeFlows();
  /** @type {Kernel | undefined} */
  let kernel;
  const pending = new PendingReactions();
  let tagNs = -1;
  let tagMicrostep = -1;
  let crank = 0;
  let stage = 0;
  let startNs = 0;
  let deliveredNs = -1;
  let commitNs = 0;
  /** @type {ReturnType<Kernel['counters']['find']> | undefined} where the counter of the run queue is */
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
      // Not later: an item of reactors goes on to their next tag when the crank is applied.
      moveTo(item);
      stage = item.stage;
      deliveredNs = -1;
      // Reactions report their start after they have run.
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

  /** @param {Flight} flight  what it happens in */
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
