import { Reactor } from 'swingset-runner/reactor';
import { Ping } from './ping.js';
import { Pong } from './pong.js';

class PingPong extends Reactor {
  mayRequestStop = true;

  constructor(parameters) {
    super();
    const ping = new Ping(this, parameters);
    const pong = new Pong(this);
    this.connect(ping.send, pong.receive);
    this.connect(pong.send, ping.receive);
  }
}

export const buildReactor = (_vatPowers, parameters) => new PingPong(parameters);
