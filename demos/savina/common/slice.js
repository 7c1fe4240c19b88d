// Some members of a bank as one vat. Each port of the members is a port of the slice, with the members' channels one after
// the other, so several slices in a row have the channels of the whole bank.

import { Reactor } from 'swingset-runner/reactor';

export class Slice extends Reactor {
  /**
   * @param {any} type  the members' class; their place in the whole bank is `parameters.first` and their own index
   * @param {object} parameters
   * @param {object} members
   * @param {number} members.first  of the bank's members, the first one here
   * @param {number} members.count
   * @param {number[]} members.counts  of each slice
   * @param {number} members.own  which slice this is
   * @param {[from: string, to: string][]} members.peers  multiports that lead from each member of the bank to each
   * @param {string[]} members.shared  inputs that have one value for all members: here each is one port
   */
  constructor(type, parameters, { first, count, counts, own, peers, shared }) {
    super();
    this.members = this.bank(count, type, { ...parameters, first });
    const [member] = this.members.all();
    for (const [name, port] of Object.entries(member)) {
      if (port?.node !== member.node || port.isInput === undefined) continue;
      if (peers.flat().includes(name)) continue;
      const ends = this.members.port(name);
      const isShared = shared.includes(name);
      const width = isShared ? 1 : ends.reduce((sum, end) => sum + end.width, 0);
      const ownPort = port.isInput ? this.inputs(width) : this.outputs(width);
      // A name like `reset` is one of a getter of all reactors.
      Object.defineProperty(this, name, { value: ownPort, enumerable: true });
      if (port.isInput) this.connect(ownPort, ends, { repeat: isShared });
      else this.connect(ends, ownPort);
    }
    for (const [from, to] of peers) this.#connectPeers(from, to, counts, own);
  }

  /** From member i here to member j of slice k: channel `i * counts[k] + j` of the port `from[k]`, and of `to[own]` there. */
  #connectPeers(from, to, counts, own) {
    const all = this.members.all();
    const firsts = counts.map((_, k) => counts.slice(0, k).reduce((sum, count) => sum + count, 0));
    this[from] = [];
    this[to] = [];
    counts.forEach((count, k) => {
      const there = Array.from({ length: count }, (_, i) => i);
      const leaving = all.flatMap(member => there.map(j => member[from].channel(firsts[k] + j)));
      const coming = there.flatMap(i => all.map(member => member[to].channel(firsts[k] + i)));
      if (k === own) {
        this.connect(leaving, coming);
        return;
      }
      this[from][k] = this.outputs(leaving.length);
      this[to][k] = this.inputs(coming.length);
      this.connect(leaving, this[from][k]);
      this.connect(this[to][k], coming);
    });
  }
}
