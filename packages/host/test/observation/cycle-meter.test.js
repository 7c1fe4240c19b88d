import test from 'ava';
import { openCounters } from '#native';
import { openCycleMeter } from '#host/engine/cycle-meter.js';

/** @import { Counters } from '#native' */

const counted = /** @type {const} */ ({
  isAvailable: true,
  readBy: 'instruction',
  countsKernel: true,
});
const hidden = /** @type {const} */ ({ isAvailable: false, reason: 'others use it' });

/**
 * A machine on which each reading comes 100 cycles and 10 instructions after the last.
 *
 * @param {Partial<Counters['hardware']>} hardware
 */
const makeUp = hardware => {
  let readings = 0;
  return /** @type {Counters} */ ({
    ...openCounters({ level: 6 }),
    hardware: { instructions: hidden, cycles: hidden, referenceCycles: hidden, ...hardware },
    makeMark:
      (array, names = []) =>
      () => {
        readings += 1;
        let place = array[0];
        array[place] = readings;
        // In the order of the addon, whatever order they are asked for in.
        for (const name of /** @type {const} */ (['instructions', 'cycles']))
          if (names.includes(name)) array[(place += 1)] = readings * (name === 'cycles' ? 100 : 10);
      },
  });
};

test('a meter counts while it runs, and a reset clears it', t => {
  const { meter } = openCycleMeter(makeUp({ cycles: counted, instructions: counted }));
  if (!meter) return t.fail();
  meter.reset();
  meter.go();
  meter.stop();
  meter.stop();
  t.deepEqual([meter.cycles, meter.instructions], [100, 10]);
  meter.go();
  meter.stop();
  t.deepEqual([meter.cycles, meter.instructions], [200, 20]);
  meter.reset();
  t.deepEqual([meter.cycles, meter.instructions], [0, 0]);
});

test('cycles are measured without a counter of instructions', t => {
  const { meter } = openCycleMeter(makeUp({ cycles: counted }));
  if (!meter) return t.fail();
  meter.reset();
  meter.go();
  meter.stop();
  t.deepEqual([meter.cycles, meter.instructions], [100, undefined]);
});

test('without a counter of cycles there is a reason instead of a meter', t => {
  t.deepEqual(openCycleMeter(makeUp({ instructions: counted })), {
    reason:
      "without the addon (this Node has level 6 of Node-API, and the addon needs 8): time is Node's clock, and there are no counters",
  });
  t.deepEqual(openCycleMeter({ ...makeUp({}), notice: undefined }), { reason: 'others use it' });
});
