// A room, its heater, and a controller that switches the heater on below the wished temperature and
// off above it.

import { Reactor } from 'swingset-runner/reactor';

class Room extends Reactor {
  heating = this.input();
  temperature = this.output();
  tick = this.timer(0, '100 ms');
  degrees = 15;
  isHeated = false;

  heat = this.reaction({ triggers: this.heating }, () => {
    this.isHeated = this.heating.get();
  });
  change = this.reaction({ triggers: this.tick, effects: this.temperature }, () => {
    this.degrees += this.isHeated ? 0.3 : -0.1;
    this.temperature.set(Number(this.degrees.toFixed(1)));
  });
}

class Controller extends Reactor {
  temperature = this.input();
  wish = this.input();
  heating = this.output();
  wished = 20;

  remember = this.reaction({ triggers: this.wish }, () => {
    this.wished = this.wish.get();
  });
  decide = this.reaction({ triggers: this.temperature, effects: this.heating }, () => {
    const degrees = this.temperature.get();
    if (degrees < this.wished - 0.5) this.heating.set(true);
    else if (degrees > this.wished + 0.5) this.heating.set(false);
  });
}

/** Shows the temperature and takes people's wishes. */
class Panel extends Reactor {
  temperature = this.input();
  wish = this.output();
  wished = this.physicalAction();

  constructor(container, show) {
    super(container);
    this.tell = this.reaction(
      { triggers: this.temperature },
      () =>
        void show({ ms: this.util.getCurrentTag().timeNs / 1e6, degrees: this.temperature.get() }),
    );
    this.take = this.reaction({ triggers: this.wished, effects: this.wish }, () =>
      this.wish.set(this.wished.get()),
    );
  }
}

export class House extends Reactor {
  room = new Room(this);
  controller = new Controller(this);

  constructor(show) {
    super();
    this.panel = new Panel(this, show);
    this.connect(this.room.temperature, [this.controller.temperature]);
    this.connect(this.room.temperature, this.panel.temperature);
    // The heater acts on the room with a delay.
    this.connect(this.controller.heating, this.room.heating, { after: '10 ms' });
    this.connect(this.panel.wish, this.controller.wish);
  }
}
