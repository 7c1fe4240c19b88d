// Writes the cranks of a run into the host program's slog, as SwingSet's kernel does. Syscalls are written when the crank is
// applied, behind the lines that the vat printed; routing is no crank here.

import { errorData, figure } from '#kernel';
import { listActiveVats } from '../kv-view.js';
import { messageOf } from './items.js';
import { CrankAt, tellSyscallsOf } from './syscalls.js';
import { kernelDeliveryOf, vatDeliveryOf } from './tuples.js';

/** @import { CrankObserver, Flight, Kernel } from '#kernel' */
/** @import { Answer, CapData, Delivery } from '#model' */
/** @import { Finisher, makeSlogMethods } from './methods.js' */

/** @typedef {ReturnType<typeof makeSlogMethods>} SlogMethods */

/** The first of a vat's deliveries; before it SwingSet has the start of a worker. */
const firstDelivery = 1;

/** Between the incarnations of a vat SwingSet has the end of a worker and the start of another. */
const betweenIncarnations = 2;

/**
 * @param {() => Kernel} getKernel
 * @param {SlogMethods} slog
 * @param {(vatId: string) => string} managerOf  the kind of its worker, by its options
 */
export const followCranks = (getKernel, slog, managerOf) => {
  /** Deliveries of each vat until now. @type {Map<string, number>} */
  const delivered = new Map();

  const crank = new CrankAt();
  const { inKrefs, tell } = tellSyscallsOf(getKernel, slog, crank);

  /** Answers that the vat got, in krefs. @type {Answer[]} */
  let answers = [];

  /** @type {Finisher} */
  let finishCrank = () => {};
  /** @type {Finisher} */
  let finishDelivery = () => {};

  /** @param {string} vatId */
  const startVat = vatId => {
    const { name, source, isStatic } = getKernel().vat(vatId);
    const description = `${name} (from bundleID: ${source})`;
    slog.provideVatSlogger(vatId, !isStatic, description, name, undefined, managerOf(vatId));
    slog.startup(vatId)();
    delivered.set(vatId, 0);
  };

  /** @param {Delivery} kernelDelivery @param {Delivery} vatDelivery */
  const dropNotified = (kernelDelivery, vatDelivery) => {
    if (kernelDelivery[0] !== 'notify' || vatDelivery[0] !== 'notify') return;
    for (const [i, [kref]] of kernelDelivery[1].entries())
      slog.changeCList(crank.vatId, crank.number, 'drop', kref, vatDelivery[1][i][0]);
  };

  /** How a delivery ended its vat. @param {Flight} flight @returns {{ shouldReject: boolean, info: CapData } | undefined} */
  const endOf = ({ fault, outcome, applied, result, found }) => {
    if (found.step === 'upgrade') return undefined;
    if (fault !== null)
      return { shouldReject: true, info: errorData(getKernel().profile.wire, fault) };
    if (outcome === 'kept') return undefined;
    const exit = [...applied, ...(result?.syscalls ?? [])].find(([name]) => name === 'exit');
    if (exit?.[0] !== 'exit') return undefined;
    return { shouldReject: exit[1], info: { body: exit[2].body, slots: [...exit[2].slots] } };
  };

  /** SwingSet exports the root of a vat of the run when the vat has started. @param {Flight} flight */
  const tellRoot = ({ found, vatId, outcome }) => {
    const { state } = getKernel();
    if (found.step !== 'start' || outcome !== 'kept' || state.vats.require(vatId).isStatic) return;
    const root = /** @type {string} */ (state.vats.clist(vatId).findKref('o+0'));
    slog.changeCList(vatId, crank.number, 'export', root, 'o+0');
  };

  /** @param {Flight} flight */
  const tellDelivery = flight => {
    const { result, applied, deviceSends, fault } = flight;
    if (flight.plan === null || result === null) return;
    const sent = new Set(deviceSends);
    const own = applied.filter((_, place) => !sent.has(place));
    tell(result.syscalls, own, result.answers, answers);
    finishDelivery(fault === null ? ['ok', undefined, null] : ['error', fault, null]);
    tellRoot(flight);
    const end = endOf(flight);
    if (end !== undefined) slog.terminateVat(flight.vatId, end.shouldReject, end.info);
  };

  return {
    /** Call this when the kernel is there. */
    begin() {
      const kernel = getKernel();
      for (const { id: vatId } of listActiveVats(kernel)) {
        startVat(vatId);
        delivered.set(vatId, [...kernel.transcript(vatId)].length);
      }
    },

    /** A line that a vat prints. @param {string} level @param {string} text */
    print(level, text) {
      // Vats that are brought back print again, outside of cranks.
      if (!crank.isOpen) return;
      const { number: crankNum, vatId: vatID, delivery: deliveryNum } = crank;
      const when = { state: 'delivery', crankNum, vatID, deliveryNum };
      slog.write({ type: 'console', source: 'vat', ...when, level, args: [text] });
    },

    /** @type {NonNullable<CrankObserver['begins']>} */
    begins(flight, crankNumber) {
      const { vatId, plan, found } = flight;
      // Settled promises that only refer to each other are this kernel's matter.
      if (found.step === 'collect') return;
      const { numbers } = getKernel().state.figures;
      const message = messageOf(getKernel(), flight);
      crank.number = BigInt(crankNumber);
      crank.vatId = vatId;
      crank.firstObject = Number(numbers[figure.nextObject]);
      crank.firstPromise = Number(numbers[figure.nextPromise]);
      crank.isOpen = true;
      const props = { crankType: 'delivery', crankNum: crank.number, messageType: message.type };
      finishCrank = slog.open(['crank-start', 'crank-finish'], { ...props, message });
      if (plan === null) return;
      if (found.step === 'start' && !delivered.has(vatId)) startVat(vatId);
      const before =
        (delivered.get(vatId) ?? 0) + (found.step === 'upgrade' ? betweenIncarnations : 0);
      delivered.set(vatId, before + 1);
      crank.delivery = BigInt(before + firstDelivery);
      for (const [i, kref] of plan.fresh.entries())
        slog.changeCList(vatId, crank.number, 'import', kref, plan.freshVrefs[i]);
      dropNotified(plan.kernelDelivery, plan.vatDelivery);
      finishDelivery = slog.delivery(
        ...[vatId, crank.number, crank.delivery],
        kernelDeliveryOf(plan.kernelDelivery),
        vatDeliveryOf(plan.vatDelivery),
      );
    },

    /** If the vat ends itself in this crank, its c-list is gone afterwards. @type {NonNullable<CrankObserver['delivered']>} */
    delivered({ result }) {
      answers = result === null ? [] : result.answers.map(inKrefs);
    },

    /** @type {NonNullable<CrankObserver['applied']>} */
    applied(flight) {
      const { found, vatId, outcome } = flight;
      if (found.step === 'collect') return;
      tellDelivery(flight);
      // The transcript of an upgrade that failed is dropped, as in SwingSet.
      if (found.step === 'upgrade' && outcome !== 'kept')
        delivered.set(vatId, (delivered.get(vatId) ?? 0) - betweenIncarnations - 1);
      if (found.step === 'cleanUp') {
        const work = Object.entries(getKernel().lastCleanup()).filter(([, count]) => count > 0);
        const { vatId: vatID } = found;
        slog.write({ type: 'vat-cleanup', vatID, work: Object.fromEntries(work) });
        if (!getKernel().state.vats.ending.has(vatID))
          slog.write({ type: 'vat-cleanup-complete', vatID });
      }
      crank.isOpen = false;
      finishCrank({ message: undefined, activityhash: getKernel().activityHash() });
    },
  };
};
