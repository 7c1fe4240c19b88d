// Gives vats the recorded answers about physical time and dead references in a repeated run: each vat its own, in
// order. It is a difference if no answer is left, or the next one is of another kind.

import { quote } from '#model';

/** @import { Input, PhysicalClock } from '#kernel' */
/** @import { Recording } from './read-recording.js' */

/** @type {Record<string, string>} */
const questions = {
  clock: 'for the time',
  deadline: 'whether a deadline is over',
  dead: 'for its dead references',
};

/**
 * @param {Recording} recording
 * @param {(vatId: string, text: string) => void} onDifference  called when a vat's question differs from the recording
 */
export const makeRecordedAnswers = ({ kernel, answers }, onDifference) => {
  /** @type {Map<string, Input[]>} by vat, in reverse order; dead references have lists of their own */
  const left = new Map();
  const queueOf = (/** @type {string} */ vatId, /** @type {string} */ kind) =>
    kind === 'dead' ? `${vatId} dead` : vatId;
  for (const input of answers.toReversed()) {
    const name = queueOf(input.vat, input.kind);
    const known = left.get(name);
    if (known === undefined) left.set(name, [input]);
    else known.push(input);
  }

  const vats = kernel.vats().filter(({ state }) => state === 'running');
  const running = new Set(vats.map(({ vatId }) => vatId));

  /** A raw vat tells what it lets go of without asking what is dead: its transcript has that. */
  const raw = new Set(
    vats.filter(({ options }) => options.enableSetup === true).map(({ vatId }) => vatId),
  );

  /**
   * @param {string} vatId
   * @param {'clock' | 'deadline' | 'dead'} kind
   */
  const take = (vatId, kind) => {
    const next = left.get(queueOf(vatId, kind))?.pop();
    if (next?.kind === kind) return next.data;
    onDifference(
      vatId,
      next === undefined
        ? `it asks ${questions[kind]}, and the recording has no more answers for it`
        : `it asks ${questions[kind]}; in the recording it asks ${questions[next.kind]} (input ${next.seq})`,
    );
    return undefined;
  };

  /** @type {PhysicalClock} */
  const clock = {
    nowNs: vatId => Number(take(vatId, 'clock') ?? 0),
    isLate: vatId => take(vatId, 'deadline') === '1',
  };

  return Object.freeze({
    clock,

    /** @param {string} vatId */
    findDead(vatId) {
      // A vat that broke a rule in that crank ended without an answer.
      const isTold = running.has(vatId) || left.get(queueOf(vatId, 'dead'))?.length;
      return isTold ? take(vatId, 'dead') : undefined;
    },

    /** Find an unused answer of a running vat. @returns {{ vatId: string, text: string } | undefined} */
    findLeft() {
      for (const inputs of left.values()) {
        const next = inputs.at(-1);
        if (next !== undefined && running.has(next.vat) && !raw.has(next.vat)) {
          const text = `in the recording it asks ${questions[next.kind]} once more (input ${quote(next.seq)})`;
          return { vatId: next.vat, text };
        }
      }
      return undefined;
    },
  });
};
