// The short way of a reaction's crank to the tables: where all that the vat said is values on ports that name nothing,
// no rule can be broken any more, so nothing has to be undone. It does what apply.js does
// (test/reactors/plain.test.js holds the two against each other), and saves an eighth of the whole crank: two vats that
// hand a number to and fro take 2.2 us a crank instead of 2.5 (medians of four runs each in turn).

import { writeTranscriptEntry } from '#model';
import { figure } from '../figures.js';
import { sendOut } from '../ports.js';
import { asQuietEntry } from '../quiet-run.js';
import { transcriptStream } from '../state.js';

/** @import { KernelState } from '../state.js' */
/** @import { Flight } from './flight.js' */
/** @import { Reactions } from './reactions.js' */
/** @import { Reaper } from './reaper.js' */

/**
 * Whether a crank can take the short way.
 *
 * @param {Flight} flight  of reactions
 * @param {number} outputs  channels that its vat has
 */
const isPlain = ({ result, plan, fault }, outputs) => {
  if (result === null || plan === null || fault !== null || result.fault !== null) return false;
  if (result.answers.length > 0 || plan.kernelDelivery !== plan.vatDelivery) return false;
  const { syscalls } = result;
  for (let i = 0; i < syscalls.length; i += 1) {
    const syscall = syscalls[i];
    if (syscall[0] !== 'setPort' || syscall[2].slots.length > 0) return false;
    const channel = syscall[1];
    if (!Number.isInteger(channel) || channel < 0 || channel >= outputs) return false;
  }
  return true;
};

export class PlainReactions {
  #state;

  #reactions;

  #reaper;

  #at;

  /**
   * @param {KernelState} state
   * @param {Reactions} reactions
   * @param {Reaper} reaper
   */
  constructor(state, reactions, reaper) {
    this.#state = state;
    this.#reactions = reactions;
    this.#reaper = reaper;
    const { counters } = state;
    this.#at = {
      dispatches: counters.find('dispatches'),
      react: counters.find('dispatchReact'),
      syscalls: counters.find('syscalls'),
      setPort: counters.find('syscallSetPort'),
    };
  }

  /**
   * @param {Flight} flight  of reactions, with its result
   * @returns {boolean} whether it was applied; if not, nothing has changed
   */
  apply(flight) {
    const { found, vatId, result, plan, item } = flight;
    const state = this.#state;
    const { reactors } = state;
    if (found.step !== 'react' || plan === null || result === null || !result.reactors)
      return false;
    const row = reactors.require(vatId);
    if (item.timeNs > row.latestNs || !isPlain(flight, row.outputs)) return false;
    const { figures, counters, hash } = state;
    const { syscalls } = result;
    reactors.isCertain = true;
    const agenda = reactors.change(vatId);
    const { values, isLast } = found;
    if (values.length > 0) {
      const { values: all } = agenda;
      agenda.values =
        all.length === values.length ? noValues : all.filter(event => !values.includes(event));
    }
    if (isLast) agenda.isStopping = true;
    agenda.knowsStages = true;
    for (let i = 0; i < syscalls.length; i += 1) {
      const syscall = /** @type {Extract<typeof syscalls[0], ['setPort', ...any]>} */ (syscalls[i]);
      sendOut(state, vatId, syscall[1], syscall[2]);
    }
    counters.add(this.#at.dispatches, 1);
    counters.add(this.#at.react, 1);
    counters.add(this.#at.syscalls, syscalls.length);
    counters.add(this.#at.setPort, syscalls.length);
    this.#reactions.note(vatId, result.reactors);
    const { numbers } = figures;
    const crank = numbers[figure.crankNumber] + 1;
    figures.write(figure.crankNumber, crank);
    flight.applied = syscalls;
    hash.add({
      crank,
      timeNs: item.timeNs,
      microstep: item.microstep,
      class: item.class,
      stage: item.stage,
      vatId,
      outcome: 'kept',
      delivery: plan.kernelDelivery,
      syscalls,
    });
    const stream = state.stream(transcriptStream(vatId));
    if (agenda.quiet !== null) {
      writeTranscriptEntry(stream, asQuietEntry(agenda.quiet));
      agenda.quiet = null;
    }
    writeTranscriptEntry(stream, {
      kind: 'deliver',
      tag: item,
      stage: item.stage,
      delivery: plan.vatDelivery,
      answers: result.answers,
      syscalls,
    });
    reactors.isCertain = false;
    this.#reaper.tell(flight, result);
    state.keep();
    return true;
  }
}

/** @type {readonly never[]} */
const noValues = Object.freeze([]);
