// Waits for a leader's welcome on a host: it reports a long wait, and checks regularly whether the run has ended.

import { profiles } from '#kernel';
import { UserError } from '#model';

/** @import { Cluster } from './interface.js' */

/** The wait after which it is reported, and the interval of checks whether the run has ended. */
const tellsMs = 5_000;

/** The wait before the first check. */
const firstAskMs = 1_000;

/** @typedef {{ id: string, epoch: number, session: number, profile: keyof typeof profiles, leaseMs: number }} Welcome */

/** @param {any} message  anything that was JSON @returns {message is Welcome} */
export const isWelcome = message => {
  const { id, epoch, session, profile, leaseMs } = message;
  return (
    typeof id === 'string' &&
    /^[0-9a-f]{16}$/.test(id) &&
    [epoch, session, leaseMs].every(each => Number.isSafeInteger(each) && each > 0) &&
    typeof profile === 'string' &&
    Object.hasOwn(profiles, profile)
  );
};

/**
 * @param {object} parts
 * @param {Pick<Cluster, 'nowMs'>} parts.cluster
 * @param {string} parts.run
 * @param {number} parts.patienceMs  the longest wait
 * @param {() => Promise<boolean>} parts.hasEnded
 * @param {(line: string) => void} parts.tell
 * @param {(outcome: 'over' | Error) => void} parts.end
 */
export const makeWaiting = ({ cluster, run, patienceMs, hasEnded, tell, end }) => {
  let ledMs = cluster.nowMs();
  let asksMs = firstAskMs;
  let isTold = false;

  const ask = async () => {
    try {
      if (await hasEnded()) end('over');
    } catch {
      // An unreadable log is no reason to stop.
    }
  };

  return {
    /** To be called while there is a leader. */
    isLed() {
      ledMs = cluster.nowMs();
      asksMs = firstAskMs;
      isTold = false;
    },

    /** To be called while there is no session. */
    goesOn() {
      const waitedMs = cluster.nowMs() - ledMs;
      if (waitedMs > asksMs) {
        asksMs = waitedMs + tellsMs;
        void ask();
      }
      if (waitedMs > patienceMs)
        end(
          new UserError(
            `no leader of run ${run} has answered for ${Math.round(waitedMs / 1000)} s; swingset-runner status says whether the run has ended, and swingset-runner lead goes on with it`,
            { exitCode: 1 },
          ),
        );
      if (waitedMs < tellsMs || isTold) return;
      isTold = true;
      tell(
        `no leader of run ${run} answers; waiting for one (swingset-runner status says how the run stands)`,
      );
    },
  };
};
