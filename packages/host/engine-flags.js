// Flags of V8. They are the whole process's, so a library sets none but those without which a run would not repeat, and
// says so; flags for speed are set for who asks.

import { setFlagsFromString } from 'node:v8';

/**
 * `none` sets no flags: what the engine's collections find may differ from run to run, and with it the activity hash.
 * `collections` sets those under which they find the same in every run. `speed` sets more, for a process that does little
 * else than run this simulation.
 *
 * @typedef {'none' | 'collections' | 'speed'} EngineFlags
 */

let keepsDeadVariables = false;

/**
 * To be called before the code of vats runs that are collected: optimised code keeps what interpreted code keeps from
 * then on. TurboFan can be told; Maglev, which Node has from 24 on, cannot, so it is left out. On Node 26 that makes
 * the first second of a run some 15 % slower, and a long one 4 % (pingpong, 20,000 and 200,000 rounds: 75 and 52 us a
 * round, 62 and 50 with Maglev). On Node 20 and 22 nothing was seen.
 */
const keepDeadVariables = () => {
  keepsDeadVariables = true;
  setFlagsFromString('--no-analyze-environment-liveness');
  setFlagsFromString('--no-maglev');
};

/**
 * To be called before anything runs. What a crank leaves dies young, so a collection of young objects copies some tens of
 * kilobytes; to wake other threads for that takes longer than it saves. PingPong in memory, 10,000 rounds, Node 20, six
 * runs each in turn, medians of medians: 41.8 us a round, 39.9 with this.
 */
const collectYoungAlone = () => setFlagsFromString('--no-parallel-scavenge');

/**
 * @param {EngineFlags} wanted
 * @param {boolean} collects  whether vats are asked for their dead references
 * @returns {'set' | 'not set' | 'not needed'} those under which collections find the same in every run; once they are set,
 *   they are in force for the rest of the process
 */
export const setEngineFlags = (wanted, collects) => {
  if (wanted === 'speed') collectYoungAlone();
  if (!collects) return 'not needed';
  if (wanted !== 'none' && !keepsDeadVariables) keepDeadVariables();
  return keepsDeadVariables ? 'set' : 'not set';
};

/** A line for people, where the flags are not set. */
export const notReproducible =
  "collections are not reproducible: the engine's flags for them are not set (engineFlags: 'none'), so what vats let go of, and with it the activity hash, may differ from run to run";
