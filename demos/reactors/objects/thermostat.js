import { E, Far } from '@endo/far';
import { Reactor } from 'swingset-runner/reactor';

/** A vat with both. A message schedules an action; a reaction sends messages, and resolves the promise of an answer. */
class Thermostat extends Reactor {
  temperature = this.input();
  heat = this.output();
  wish = this.action();
  display = undefined;
  wished = undefined;

  take = this.reaction({ triggers: this.wish }, () => {
    this.wished = this.wish.get();
  });

  control = this.reaction({ triggers: this.temperature, effects: this.heat }, () => {
    const degrees = this.temperature.get();
    const when = `after ${this.util.getElapsedLogicalTime() / 60e9} min`;
    if (this.display) E(this.display).show(`${degrees} degrees ${when}`);
    if (this.wished && degrees >= this.wished.degrees) {
      this.wished.resolve(when);
      this.wished = undefined;
    }
    this.heat.set(this.wished !== undefined);
  });
}

const thermostat = {};

export const buildReactor = () => {
  thermostat.reactor = new Thermostat();
  return thermostat.reactor;
};

export const buildRootObject = () =>
  Far('thermostat', {
    setDisplay(display) {
      thermostat.reactor.display = display;
    },
    reach: degrees =>
      new Promise(resolve => thermostat.reactor.wish.schedule(0, { degrees, resolve })),
  });
