// Describes the difference between an entry of a vat's transcript and the recorded one.

import { compareTags, formatTag } from '#model';
import { describeSyscall, findDifference } from '../vats/replay.js';

/** @import { DeliverEntry, QuietEntry, TranscriptEntry } from '#model' */

/** @param {number} count */
const times = count => (count === 1 ? 'once' : `${count} times`);

/** @param {QuietEntry} entry */
const describeQuiet = ({ cranks, firstTag, endTag, endStage }) =>
  `${cranks} ${cranks === 1 ? 'crank' : 'cranks'} of its reactors by themselves, from ${formatTag(firstTag)} to ${formatTag(endTag)}, stage ${endStage}`;

/** @param {TranscriptEntry} entry */
const describeEntry = entry => {
  if (entry.kind === 'quiet') return describeQuiet(entry);
  const [kind, ...rest] = entry.delivery;
  const target = typeof rest[0] === 'string' ? ` to ${rest[0]}` : '';
  return `${kind}${target} at ${formatTag(entry.tag)}, stage ${entry.stage}`;
};

/**
 * @param {readonly unknown[]} now
 * @param {readonly unknown[]} recorded
 */
const isSame = (now, recorded) => JSON.stringify(now) === JSON.stringify(recorded);

/**
 * Describe the first difference between the syscalls, or else the answers, of two equal deliveries.
 *
 * @param {DeliverEntry} now
 * @param {DeliverEntry} recorded
 */
const compareActs = (now, recorded) => {
  const at = findDifference(now.syscalls, recorded.syscalls);
  const nowAnswer = findDifference(
    /** @type {any} */ (now.answers),
    /** @type {any} */ (recorded.answers),
  );
  if (at >= 0) {
    const is = describeSyscall(now.syscalls[at]);
    const was = describeSyscall(recorded.syscalls[at]);
    return is === was
      ? `syscall ${at + 1} (${is}) has other data than in the recording`
      : `syscall ${at + 1} is ${is}, in the recording it is ${was}`;
  }
  if (now.answers.length !== recorded.answers.length)
    return `it asks the kernel ${times(now.answers.length)}, in the recording ${times(recorded.answers.length)}`;
  return `answer ${nowAnswer + 1} of the kernel is another than in the recording`;
};

/** The tag at which an entry begins. @param {TranscriptEntry} entry */
export const tagOf = entry => (entry.kind === 'quiet' ? entry.firstTag : entry.tag);

/**
 * @param {TranscriptEntry} now
 * @param {TranscriptEntry | undefined} recorded
 * @param {number} number  of the entry, from 1
 * @returns {{ text: string, isAct: boolean } | undefined} the difference, and whether it is in the vat's actions and
 *   not in its delivery
 */
export const compareEntries = (now, recorded, number) => {
  if (recorded === undefined) {
    const text = `its entry ${number} is ${describeEntry(now)}, in the recording there is none`;
    return { text, isAct: false };
  }
  if (now.kind === 'deliver' && recorded.kind === 'deliver') {
    const isSameDelivery =
      compareTags(now.tag, recorded.tag) === 0 &&
      now.stage === recorded.stage &&
      isSame(now.delivery, recorded.delivery);
    if (isSameDelivery) {
      if (isSame(now.syscalls, recorded.syscalls) && isSame(now.answers, recorded.answers))
        return undefined;
      const what = `in its delivery ${number} (${now.delivery[0]})`;
      return { text: `${what} ${compareActs(now, recorded)}`, isAct: true };
    }
  }
  const is = describeEntry(now);
  const was = describeEntry(recorded);
  if (now.kind === 'quiet' && is === was) return undefined;
  const text =
    is === was
      ? `its delivery ${number} (${is}) has other data than in the recording`
      : `its entry ${number} is ${is}, in the recording it is ${was}`;
  return { text, isAct: now.kind === 'quiet' && recorded.kind === 'quiet' };
};
