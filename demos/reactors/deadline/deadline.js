import { Reactor } from 'swingset-runner/reactor';
import { Filter } from './filter.js';
import { Motor } from './motor.js';
import { Panel } from './panel.js';
import { Sensor } from './sensor.js';

class Deadline extends Reactor {
  mayRequestStop = true;

  constructor({ argv: [period = '10 min'] }) {
    super();
    const sensor = new Sensor(this, { period });
    const filter = new Filter(this);
    const motor = new Motor(this);
    const panel = new Panel(this);
    this.connect([sensor.out, filter.out, motor.does], [filter.in, motor.in, panel.in]);
  }
}

export const buildReactor = (_vatPowers, parameters) => new Deadline(parameters);
