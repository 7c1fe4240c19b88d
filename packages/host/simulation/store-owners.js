// Keeps two simulations of this process from running on one store: each would write over the blocks of the other. A
// simulation has its store from the time at which it is made until it is closed, or leaves it; a stopped one gives way to
// one that resumes its state.

import { UserError } from '#model';

/**
 * @typedef {object} StoreOwner
 * @property {() => boolean} isRunning  whether it is being made, or was started
 */

/** @type {WeakMap<object, StoreOwner>} */
const owners = new WeakMap();

/**
 * @param {object} store
 * @param {{ resume: boolean, holdsState: boolean }} how  whether the new simulation resumes the state, and whether the store
 *   holds one
 * @returns {{ own: (isRunning: () => boolean) => void, free: () => void }} `own` is called when the simulation is made, `free`
 *   when it is closed
 * @throws {UserError} if another simulation has the store
 */
export const takeStore = (store, { resume, holdsState }) => {
  const other = owners.get(store);
  if (other !== undefined && (other.isRunning() || (!resume && !holdsState)))
    throw new UserError(
      'the store is in use by another simulation of this process; give each a store of its own, or close() that one first',
      { exitCode: 1 },
    );
  /** @type {StoreOwner} */
  const owner = { isRunning: () => true };
  owners.set(store, owner);
  return {
    own(isRunning) {
      owner.isRunning = isRunning;
    },
    free() {
      if (owners.get(store) === owner) owners.delete(store);
    },
  };
};
