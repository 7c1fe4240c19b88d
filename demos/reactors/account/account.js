import { Reactor } from 'swingset-runner/reactor';

/** Grants what leaves the balance at 0 or more. If both ask at one tag, A comes first. */
export class Account extends Reactor {
  fromA = this.input();
  fromB = this.input();
  balance = 0;

  ofA = this.reaction({ triggers: this.fromA }, () => this.apply('A', this.fromA.get()));
  ofB = this.reaction({ triggers: this.fromB }, () => this.apply('B', this.fromB.get()));

  apply(user, value) {
    const isGranted = this.balance + value >= 0;
    if (isGranted) this.balance += value;
    const seconds = this.util.getElapsedLogicalTime() / 1e9;
    const what = `${value < 0 ? 'withdraws' : 'deposits'} ${Math.abs(value)}`;
    const outcome = isGranted ? 'granted' : 'denied';
    console.log(`${seconds} s: ${user} ${what}: ${outcome}, balance ${this.balance}`);
  }
}

export const buildReactor = () => new Account();
