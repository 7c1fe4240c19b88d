// A vat can reach its own scheduler by its reactor's node. Whatever it changes there, kernel and neighbours go on.

import { Reactor } from 'swingset-runner/reactor';

const tricks = {
  number: m => ([...m.node.outlets][0].end.number = 1e9),
  numbers: m => ([...m.node.outlets][0].end.number = { valueOf: () => 0 }),
  written: m => [...m.node.outlets][0].written.push({ number: -1, stage: 0, slot: { value: 1 } }),
  time: m => (m.scheduler.timeNs = -5),
  next: m => {
    m.scheduler.prepareTag = () => true;
    m.scheduler.nextTimeNs = 1;
  },
  nan: m => (m.scheduler.timeNs = NaN),
  huge: m => {
    m.scheduler.nextTimeNs = 2 ** 60;
    m.scheduler.microstep = 2 ** 60;
  },
  stop: m => (m.scheduler.stopTimeNs = -1),
  stopped: m => (m.scheduler.hasStopped = true),
  reenter: m => m.scheduler.runReady(),
  end: m => m.scheduler.endTag(),
  begin: m => {
    m.scheduler.wantMicrostep();
    m.scheduler.prepareTag();
    m.scheduler.beginTag();
  },
  run: m => {
    m.act.schedule();
    while (m.scheduler.microstep < 100) {
      m.scheduler.endTag();
      m.scheduler.prepareTag();
      m.scheduler.beginTag();
    }
  },
  clock: m => (m.scheduler.clock = { nowNs: () => 'late' }),
  late: m => {
    const { clock } = m.scheduler;
    Promise.resolve().then(() => clock.nowNs(1, 1));
    Promise.resolve().then(() => clock.isLate?.({}, -1));
  },
  ports: m => (m.node.ports.length = 0),
  levels: m => m.scheduler.onLevels({}),
  region: m => (m.node.region = null),
  seq: m => (m.out.slot.outlets = [{ isImmediate: true, passOn: () => {}, schedule: () => {} }]),
  takeOver: m => {
    for (const name of ['beginTagAt', 'nextStage', 'isLastTag', 'nextTag'])
      m.scheduler[name] = () => ({ timeNs: 'x' });
  },
  counts: m => {
    m.scheduler.tags = -1;
    m.scheduler.reactions = 'many';
    m.scheduler.events = NaN;
  },
  prepare: m => (m.scheduler.prepareValue = () => {}),
  slots: m => (m.out.slots = m.out.slot = null),
  name: m => Object.defineProperty(m.constructor, 'name', { get: () => ({}) }),
};

class Mallory extends Reactor {
  out = this.output();
  tick = this.timer(0, '1 ms');
  act = this.action();
  m = this.reaction({ triggers: [this.tick, this.act], effects: [this.out, this.act] }, () => {
    this.out.set('honest');
    if (this.util.getElapsedLogicalTime() > 0) tricks[this.trick](this);
  });
  get scheduler() {
    return this.node.region.scheduler;
  }
}

export const buildReactor = (_powers, { trick }) => {
  const mallory = new Mallory();
  mallory.trick = trick;
  return mallory;
};
