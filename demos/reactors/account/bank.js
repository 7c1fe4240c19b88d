import { Reactor } from 'swingset-runner/reactor';
import { Account } from './account.js';
import { User } from './user.js';

class Bank extends Reactor {
  constructor({ userA, userB }) {
    super();
    const a = new User(this, userA);
    const b = new User(this, userB);
    const account = new Account(this);
    this.connect([a.request, b.request], [account.fromA, account.fromB]);
  }
}

export const buildReactor = (_vatPowers, parameters) => new Bank(parameters);
