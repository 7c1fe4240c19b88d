import { Reactor } from 'swingset-runner/reactor';

/** A vat with reactors: each minute a room gets two degrees warmer if it is heated, and one colder if not. */
class Room extends Reactor {
  heat = this.input();
  temperature = this.output();
  minute = this.timer(0, '1 min');
  isHeated = false;
  degrees = 18;

  change = this.reaction({ triggers: this.minute, effects: this.temperature }, () => {
    this.degrees += this.isHeated ? 2 : -1;
    this.temperature.set(this.degrees);
  });

  heater = this.reaction({ triggers: this.heat }, () => {
    this.isHeated = this.heat.get();
  });
}

export const buildReactor = () => new Room();
