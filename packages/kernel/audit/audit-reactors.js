// The audit of vats with reactors: which vats they are, the values under way to them, and where their next reaction is
// queued.

import { compareTags, numberOfId } from '#model';
import { classes } from '#schedule';
import { findNext } from '../reactors/reactors.js';

/** @import { Expect } from './audit.js' */
/** @import { KernelState } from '../tables/state.js' */

/**
 * @param {KernelState} state
 * @param {Expect} expect
 */
export const auditReactors = (state, expect) => {
  const { reactors, vats, queue, now } = state;
  const queued = [...queue.inOrder()].filter(({ kind }) => kind === 'react');
  const next = { timeNs: 0, microstep: 0, stage: 0 };
  let count = 0;
  for (const [vatId, { shape, inputs, stages, targets, program }] of reactors.rows.entries()) {
    expect(`vat ${vatId}, which has reactors, is running`, vats.isRunning(vatId), true);
    const agenda = reactors.agendas.get(vatId);
    expect(`vat ${vatId}, which has reactors, has an agenda`, agenda !== undefined, true);
    if (agenda === undefined) continue;
    if (stages.length > 0) expect(`stages of ${vatId}`, stages.length, inputs);
    for (const { vatId: to } of targets.flat()) {
      const other = reactors.rows.get(to);
      if (other !== undefined)
        expect(`program of ${to}, connected to ${vatId}`, other.program, program);
    }
    /** @type {import('../tables/event-list.js').PortEvent | undefined} */
    let before;
    for (const event of agenda.values) {
      const { channel } = event;
      expect(
        `value under way to ${vatId} is not before the present`,
        compareTags(event, now) >= 0,
        true,
      );
      expect(
        `channel ${channel} of ${vatId} is there`,
        channel < inputs + shape.actions.length,
        true,
      );
      const order =
        before === undefined ? -1 : compareTags(before, event) || before.channel - channel;
      expect(`values under way to ${vatId} are in order`, order < 0, true);
      before = event;
    }
    const isNext = findNext(agenda, next);
    const items = queued.filter(item => item.vatId === vatId);
    expect(`reactions of ${vatId} in the queue`, items.length, isNext ? 1 : 0);
    if (!isNext || items.length !== 1) continue;
    count += 1;
    const [{ timeNs, microstep, stage, class: itemClass, vatNumber }] = items;
    expect(`class of the reaction of ${vatId}`, itemClass, classes.reaction);
    expect(`vat number of the reaction of ${vatId}`, vatNumber, numberOfId(vatId));
    expect(
      `the next reaction of ${vatId}`,
      `${timeNs}.${microstep} stage ${stage}`,
      `${next.timeNs}.${next.microstep} stage ${next.stage}`,
    );
    expect(
      `the next reaction of ${vatId} is not before the present`,
      compareTags(next, now) >= 0,
      true,
    );
  }
  expect('reactions in the queue', queued.length, count);
  expect('agendas', reactors.agendas.size, reactors.rows.size);
};
