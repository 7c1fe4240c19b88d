// After ActionIsPresent, ActionIsPresentReset, ActionIsPresentDouble, ActionValues, ActionValuesCleanup,
// DependencyUseOnLogicalAction, Continuations of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';

class StartupOrAction extends Part {
  a = this.action();
  r = this.reaction({ triggers: [this.startup, this.a], effects: this.a }, () => {
    this.note(this.startup.isPresent() ? 'startup' : '', this.a.isPresent() ? 'a' : 'no a');
    if (!this.a.isPresent()) this.a.schedule(this.params.offset ?? 1);
  });
}

export const actionIsPresent = program({
  name: 'ActionIsPresent',
  rule: 'an action is absent at startup and present when it comes',
  parts: { main: [StartupOrAction, { offset: 1 }] },
  trace: { main: ['0.0 startup no a', '1.0  a'] },
});

class ResetPresence extends Part {
  tick = this.timer(0, 1);
  a = this.action();
  step = 0;
  go = this.reaction({ triggers: this.startup, effects: this.a }, () => this.a.schedule());
  onA = this.reaction({ triggers: this.a, effects: this.a }, () => {
    this.note('r', this.a.isPresent());
    if (this.step === 0) this.a.schedule(1);
    this.step += 1;
  });
  onTick = this.reaction({ triggers: this.tick, sources: this.a }, () =>
    this.note('t', this.a.isPresent()),
  );
}

export const actionIsPresentReset = program({
  name: 'ActionIsPresentReset',
  rule: 'presence ends with the tag',
  parts: { main: ResetPresence },
  options: { timeout: 2 },
  trace: { main: ['0.0 t false', '0.1 r true', '1.0 r true', '1.0 t true', '2.0 t false'] },
});

class TwoActions extends Part {
  a0 = this.action();
  a1 = this.action();
  go = this.reaction({ triggers: this.startup, effects: [this.a0, this.a1] }, () => {
    this.a0.schedule(100);
    this.a0.schedule(50);
    this.a1.schedule(100);
  });
  r = this.reaction({ triggers: [this.a0, this.a1] }, () =>
    this.note(this.a0.isPresent(), this.a1.isPresent()),
  );
}

export const actionIsPresentDouble = program({
  name: 'ActionIsPresentDouble',
  rule: 'two actions at one tag are present together, and trigger once',
  parts: { main: TwoActions },
  trace: { main: ['50.0 true false', '100.0 true true'] },
});

class ActionValue extends Part {
  act = this.action({ minDelay: 100 });
  go = this.reaction({ triggers: this.startup, effects: this.act }, () => {
    this.act.schedule(0, 100);
    this.act.schedule(50, -100);
  });
  r = this.reaction({ triggers: this.act }, () => this.note(this.act.get()));
}

export const actionValues = program({
  name: 'ActionValues',
  rule: 'two events of one action have each their value',
  parts: { main: ActionValue },
  trace: { main: ['100.0 100', '150.0 -100'] },
});

class Cleanup extends Part {
  act = this.action();
  step = 0;
  go = this.reaction({ triggers: this.startup, effects: this.act }, () =>
    this.act.schedule(0, 'value'),
  );
  r = this.reaction({ triggers: this.act, effects: this.act }, () => {
    this.note(this.act.isPresent(), this.act.get());
    if (this.step === 0) this.act.schedule();
    this.step += 1;
  });
}

export const actionValuesCleanup = program({
  name: 'ActionValuesCleanup',
  rule: 'an event without a value has none, though the one before had',
  parts: { main: Cleanup },
  trace: { main: ['0.1 true value', '0.2 true undefined'] },
});

class UseOnAction extends Part {
  clock = this.timer(0, 2);
  a = this.action();
  go = this.reaction({ triggers: this.startup, effects: this.a }, () => {
    this.a.schedule(3, 3);
    this.a.schedule(4, 4);
    this.a.schedule(5, 5);
  });
  r = this.reaction({ triggers: this.clock, sources: this.a }, () =>
    this.note(this.a.isPresent(), this.a.get() ?? '-'),
  );
}

export const dependencyUseOnLogicalAction = program({
  name: 'DependencyUseOnLogicalAction',
  rule: 'an action may be looked at without being a trigger',
  parts: { main: UseOnAction },
  options: { timeout: 6 },
  trace: { main: ['0.0 false -', '2.0 false -', '4.0 true 4', '6.0 false -'] },
});

class Continuation extends Part {
  ack = this.action();
  tick = this.timer(0, 2);
  pending = 0;
  start = this.reaction({ triggers: [this.tick, this.ack], effects: this.ack }, () => {
    if (this.ack.isPresent()) {
      this.note('goes on', this.ack.get());
      this.pending = 0;
    }
    if (this.tick.isPresent() && this.pending === 0) {
      this.note('starts');
      this.pending = 1;
      this.ack.schedule(3, 'done');
    }
  });
}

export const continuations = program({
  name: 'Continuations',
  rule: 'what waits for its continuation starts nothing else, and timer and continuation may meet',
  parts: { main: Continuation },
  options: { timeout: 9 },
  trace: {
    main: ['0.0 starts', '3.0 goes on done', '4.0 starts', '7.0 goes on done', '8.0 starts'],
  },
});

export const buildReactor = reactorBuilder(
  actionIsPresent,
  actionIsPresentReset,
  actionIsPresentDouble,
  actionValues,
  actionValuesCleanup,
  dependencyUseOnLogicalAction,
  continuations,
);
