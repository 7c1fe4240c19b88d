// Records a crank beside the tables: its number, its record in the activity hash, the physical times that its vat read,
// and its entry in the vat's transcript.

import { beginDelivered, Fail, writeAnswer, writeTranscriptEntry } from '#model';
import { recordInput } from '../inputs/inputs.js';
import { holdsDevice } from '../lifecycle/births.js';
import { asQuietEntry } from '../reactors/quiet-run.js';
import { figure } from '../tables/figures.js';
import { isControl } from '../tables/queue-item.js';
import { bringsDevice } from './ahead.js';

/** @import { Answer, Both, Delivery } from '#model' */
/** @import { Reactions } from '../reactors/reactions.js' */
/** @import { CrankRecord } from '../record/hash.js' */
/** @import { Item } from '../tables/queue-item.js' */
/** @import { ClockRead } from '../tables/physical-time.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { VatParts } from '../tables/vats.js' */
/** @import { CrankResult, Flight } from './flight.js' */
/** @import { Route } from './routing.js' */
/** @import { Plan } from './translate.js' */

export class CrankRecorder {
  #state;

  #reactions;

  /**
   * @param {KernelState} state
   * @param {Reactions} reactions
   */
  constructor(state, reactions) {
    this.#state = state;
    this.#reactions = reactions;
  }

  /**
   * Gives a crank its number.
   *
   * @param {Item} item  its own
   */
  number(item) {
    const { figures } = this.#state;
    const crank = figures.numbers[figure.crankNumber] + 1;
    figures.write(figure.crankNumber, crank);
    if (isControl(item))
      figures.write(figure.controlCranks, figures.numbers[figure.controlCranks] + 1);
    return crank;
  }

  /**
   * Begins the records of a kept crank in the activity hash and the vat's transcript; the caller encodes for both.
   *
   * @param {Flight} flight
   * @param {VatParts} parts  of its vat
   * @param {Both} both  gets the two writers
   */
  open({ item, clockReads }, parts, both) {
    const state = this.#state;
    this.recordReads(clockReads);
    const crank = this.number(item);
    if (state.reactors.hasAny) this.writeQuiet(parts);
    both.inKrefs = state.hash.open(crank, item, item.class, item.stage, parts.number);
    both.inVrefs = state.transcriptOf(parts);
    beginDelivered(both.inVrefs, item, item.stage);
  }

  /**
   * Writes the answers that the vat got. They are in its transcript only.
   *
   * @param {Both} both
   * @param {readonly Answer[]} answers
   */
  writeAnswers({ inVrefs }, answers) {
    inVrefs.varint(answers.length);
    for (let i = 0; i < answers.length; i += 1) writeAnswer(inVrefs, answers[i]);
  }

  /**
   * Number the crank and add it to the activity hash.
   *
   * @param {Flight} flight
   * @param {CrankRecord['outcome']} outcome
   */
  record(flight, outcome) {
    const { item, found, plan, vatId, applied } = flight;
    const { hash } = this.#state;
    flight.outcome = outcome;
    this.recordReads(flight.clockReads);
    this.recordReads(this.#state.physicalTime.takeReads());
    hash.add({
      crank: this.number(item),
      timeNs: item.timeNs,
      microstep: item.microstep,
      class: item.class,
      stage: item.stage,
      vatId,
      outcome,
      delivery: plan === null ? kernelStepRecord(found) : plan.kernelDelivery,
      syscalls: applied,
    });
    if (plan === null || outcome === 'dropped') return;
    this.noteDevices(flight, plan);
  }

  /**
   * @param {Flight} flight
   * @param {Plan} plan
   */
  noteDevices(flight, plan) {
    if (plan.fresh.length > 0 && bringsDevice(plan)) holdsDevice(this.#state, flight.vatId);
    if (this.#state.reactors.hasAny) this.#reactions.noteDevices(flight);
  }

  /** @param {readonly ClockRead[]} reads  recorded whether the crank is kept or dropped */
  recordReads(reads) {
    for (let i = 0; i < reads.length; i += 1)
      recordInput(this.#state, reads[i].kind, reads[i].vatId, reads[i].data);
  }

  /**
   * @param {Flight} flight
   * @param {CrankResult} result
   */
  writeTranscript({ item, plan, vatId }, { answers, syscalls }) {
    if (this.#state.reactors.hasAny) this.writeQuiet(this.#state.vats.parts(vatId));
    writeTranscriptEntry(this.#state.transcript(vatId), {
      kind: 'deliver',
      tag: item,
      stage: item.stage,
      delivery: plan === null ? Fail`a result without a delivery` : plan.vatDelivery,
      answers,
      syscalls,
    });
  }

  /**
   * Writes the run of quiet cranks that this crank ends.
   *
   * @param {VatParts} parts
   */
  writeQuiet(parts) {
    const { reactors } = this.#state;
    const entry = reactors.findOf(parts);
    const run = entry?.agenda.quiet ?? null;
    if (entry === undefined || run === null) return;
    writeTranscriptEntry(this.#state.transcriptOf(parts), asQuietEntry(run));
    reactors.change(entry).quiet = null;
  }
}

/**
 * The record in the activity hash of a crank that reached no vat.
 *
 * @param {Route} found
 * @returns {Delivery}
 */
export const kernelStepRecord = found => {
  switch (found.step) {
    case 'park':
      return ['none', 'parked', found.promise];
    case 'reject':
      return ['none', 'rejected', found.message.result ?? ''];
    case 'nothing':
      return ['none', found.why, found.ref];
    case 'wake':
      return ['none', 'wake', found.deviceId];
    case 'cleanUp':
      return ['none', 'cleanUp', found.vatId];
    case 'collect':
      return ['none', 'collect', ''];
    default:
      throw Fail`a delivery to a vat is recorded as such`;
  }
};
