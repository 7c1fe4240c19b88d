import { Reactor } from 'swingset-runner/reactor';
import { Account } from '../account/account.js';
import { User } from '../account/user.js';
import { ProxyDelay } from './proxy-delay.js';

class Bank extends Reactor {
  constructor({ userA, userB, delay }) {
    super();
    const a = new User(this, userA);
    const b = new User(this, userB);
    const proxy = new ProxyDelay(this, { delay });
    const account = new Account(this);
    this.connect(a.request, proxy.in);
    this.connect([proxy.out, b.request], [account.fromA, account.fromB]);
  }
}

export const buildReactor = (_vatPowers, parameters) => new Bank(parameters);
