// Shows the progress of a run in a line.

import { countOf, formatDuration, formatExactDuration } from '#model';

/** @import { Progress, Simulation } from '#host' */
/** @import { Screen } from './screen.js' */

const nsPerMs = 1_000_000;

/** Microsteps of one instant and round after which a line says so, once. */
const manyMicrosteps = 1_000_000;

/** @param {{ all: number, control: number }} cranks */
const nameCranks = ({ all, control }) => countOf(all - control, 'crank');

/**
 * @param {Screen} screen
 * @param {Simulation} simulation
 */
export const makeProgress = (screen, simulation) => {
  /** The start of this process's part of the run; earlier rounds ran in other processes. */
  let startMs = 0;
  let startDone = 0;
  /** Where the present instant, or round, began. */
  let instant = { timeNs: -1, done: 0, microstep: 0, isTold: false };

  /** @param {Progress} progress */
  const describe = ({ setup, wanted = 0, done }) => {
    if (setup === undefined) return { share: 0, text: `setup: ${nameCranks(simulation.cranks)}` };
    if (done === startDone) return { share: 0, text: `round ${done} of ${wanted}` };
    const perRoundMs = (performance.now() - startMs) / (done - startDone);
    const left = formatDuration(Math.round((wanted - done) * perRoundMs * nsPerMs));
    const each = formatDuration(Math.round(perRoundMs * nsPerMs));
    return {
      share: wanted === 0 ? 1 : done / wanted,
      text: `round ${done} of ${wanted}, ${each} a round, ${left} left`,
    };
  };

  /** @param {number} done  rounds */
  const tellOfManyMicrosteps = done => {
    const { timeNs, microstep } = simulation.kernel.now;
    if (timeNs !== instant.timeNs || done !== instant.done)
      instant = { timeNs, done, microstep, isTold: false };
    if (instant.isTold || microstep - instant.microstep < manyMicrosteps) return;
    instant.isTold = true;
    screen.note(
      `the instant at ${formatExactDuration(timeNs)} has had more than ${manyMicrosteps} microsteps and goes on ` +
        `(next is ${simulation.kernel.describeNext()}); messages or actions without a delay may go round, and ` +
        '--max-microsteps ends such a run',
    );
  };

  return Object.freeze({
    /** @param {Progress} progress  after a block */
    tick(progress) {
      tellOfManyMicrosteps(progress.done);
      if (startMs === 0 && progress.setup !== undefined) {
        startMs = performance.now();
        startDone = progress.done;
      }
      screen.progress(() => describe(progress));
    },

    /** @param {Progress} progress  when the loop has ended */
    end({ setup, wanted = 0, done, setupNs, roundsNs }) {
      const cranks = nameCranks(setup?.cranks ?? simulation.cranks);
      screen.note(`setup: ${cranks} in ${formatDuration(setupNs)}`);
      if (wanted > 0) {
        const rate =
          done === 0
            ? ''
            : ` in ${formatDuration(roundsNs)}, ${formatDuration(roundsNs / done)} each`;
        screen.note(`rounds: ${done} of ${wanted}${rate}`);
      }
    },
  });
};
