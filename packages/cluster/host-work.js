// The debts of hosts: deliveries without a result, and vats that are being made. A host says regularly how many batches of
// the leader it has received, and which vats it works on. Its messages come in order, so if it has received a delivery,
// has not answered it and does not work on it, the delivery is lost, however slow the host is; the same holds for an
// answer to a question. Its session ends then. A host that says that it works may do so for ever, unless the leader was
// given a limit.

import { countOf, UserError } from '#model';
import { findOnHost } from './hosted-vat.js';

/** @import { Host, HostList } from './host-list.js' */
/** @import { ToLeader } from './host-messages.js' */
/** @import { HostedVat, Replica } from './hosted-vat.js' */

/**
 * Parts of a lease in a step: a host is heard more often. So a machine that stood still, the leader's or the host's,
 * adds a step to the time, whatever its clock says.
 */
const stepsPerLease = 3;

/** How often hosts may be given up in one delivery of a vat because they took too long. */
const mostOverruns = 3;

/** Names of vats in a line, at most. */
const mostNames = 5;

/** Note that a host must have received everything up to here to do what is owed. @param {Replica} replica */
export const noteWork = replica => {
  replica.saidAt = replica.host.link.lastBatch;
  replica.cranks = 1;
};

/** Note that a host has ended a delivery, or made a vat. @param {Host} host @param {number} nowMs */
export const noteEnded = ({ work }, nowMs) => {
  work.endedMs = nowMs;
  work.waitedMs = 0;
};

/** A host on which a vat is about to arrive owes nothing of its call. @param {HostedVat} vat @param {Replica} replica */
const isOwed = ({ call }, { made, result, isReady }) =>
  made !== undefined || (isReady && call !== undefined && result === undefined);

/** @param {HostedVat[]} vats */
const listNames = vats => {
  const names = vats.slice(0, mostNames).map(({ name }) => name);
  const more = vats.length - names.length;
  return `${vats.length === 1 ? 'vat' : 'vats'} ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

export class HostWork {
  #vats;

  #hostList;

  #patienceMs;

  #fail;

  /**
   * @param {object} parts
   * @param {ReadonlyMap<string, HostedVat>} parts.vats  by id
   * @param {HostList} parts.hostList
   * @param {number} parts.patienceMs  the longest that a host may take for one delivery; Infinity: no limit
   * @param {(error: Error) => void} parts.fail  ends the run
   */
  constructor({ vats, hostList, patienceMs, fail }) {
    this.#vats = vats;
    this.#hostList = hostList;
    this.#patienceMs = patienceMs;
    this.#fail = fail;
  }

  /** @param {Host} host */
  noteEnded(host) {
    noteEnded(host, this.#hostList.nowMs());
  }

  /** The vats for which a host owes something. @param {Host} host @returns {{ vat: HostedVat, replica: Replica }[]} */
  #findOwed(host) {
    const owed = [];
    for (const vatId of host.vats) {
      const vat = this.#vats.get(vatId);
      const replica = findOnHost(vat, host);
      if (vat !== undefined && replica !== undefined && isOwed(vat, replica))
        owed.push({ vat, replica });
    }
    return owed;
  }

  /**
   * Handle what a host says of its work: if it has lost something, its session ends.
   *
   * @param {Host} host
   * @param {Extract<ToLeader, { kind: 'working' }>} message
   * @throws {RangeError} if it has received more than was sent
   */
  take(host, { received, vatIds, asking }) {
    const { lastBatch } = host.link;
    if (received > lastBatch)
      throw RangeError(`it has received ${received} batches, and ${lastBatch} were sent`);
    const [atWork, waiting] = [new Set(vatIds), new Set(asking)];
    for (const { vat, replica } of this.#findOwed(host)) {
      if (received < replica.saidAt) continue;
      if (!atWork.has(vat.vatId)) {
        if (replica.isAwaited && !this.#isIdle(replica, atWork)) continue;
        this.#hostList.end(host, `it has forgotten what vat ${vat.name} was given`);
        return;
      }
      if (!waiting.has(vat.vatId) || replica.isAwaited || replica.early.length > 0) continue;
      this.#hostList.end(host, `it waits for an answer that vat ${vat.name} has been given`);
      return;
    }
  }

  /**
   * Whether a host that is ahead does not begin a delivery, though nothing keeps it. It chooses when it begins one, so this
   * shows by time alone.
   *
   * @param {Replica} replica
   * @param {ReadonlySet<string>} atWork
   */
  #isIdle({ host, sentMs }, atWork) {
    const { nowMs, leaseMs } = this.#hostList;
    return atWork.size === 0 && nowMs() - Math.max(sentMs, host.work.endedMs) > leaseMs;
  }

  /**
   * Find out whether a host takes too long. Its threads run one delivery each, so as long as it owes something, it ends
   * something within the limit; for a transcript the limit holds for each crank. To be called regularly.
   *
   * @param {Host} host
   * @returns {string | undefined} the reason to end its session
   */
  findOverdue(host) {
    if (this.#patienceMs === Infinity) return undefined;
    const { work, link } = host;
    const { leaseMs } = this.#hostList;
    // A host that does not run is not heard.
    const stepMs = Math.min(link.heardMs - work.countedMs, leaseMs / stepsPerLease);
    work.countedMs = link.heardMs;
    const owed = this.#findOwed(host);
    if (owed.length === 0) {
      work.waitedMs = 0;
      return undefined;
    }
    work.waitedMs += stepMs;
    const cranks = Math.max(...owed.map(({ replica }) => replica.cranks));
    // A lease more: what it was given, and what it answers, takes its time on the way.
    if (work.waitedMs <= this.#patienceMs * cranks + leaseMs) return undefined;
    const vats = owed.map(({ vat }) => vat);
    for (const vat of vats) vat.overruns += 1;
    const late = vats.filter(({ overruns }) => overruns >= mostOverruns);
    const within = `within ${this.#patienceMs} ms`;
    if (late.length > 0)
      this.#fail(
        new UserError(
          `${listNames(late)} did not end a delivery ${within} on ${countOf(mostOverruns, 'host')}, one after the other, of which the last is ${host.name}; with a longer --host-patience, or without it, the same command goes on with the run`,
          { exitCode: 1 },
        ),
      );
    return `it has ended nothing ${within} of what ${listNames(vats)} ${vats.length === 1 ? 'was' : 'were'} given`;
  }
}
