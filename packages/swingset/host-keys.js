// Keys of values that a host program of SwingSet sets. They have no effect here, but tools read them.

/** The kind of workers that a config asks for. */
export const managerTypeKey = 'host.swingset.managerType';

/** After how many deliveries a worker would be stored again. */
export const snapshotIntervalKey = 'host.swingset.snapshotInterval';

/** Before the id of a result that is not settled yet and has a policy with an effect. */
export const resultPolicyPrefix = 'host.swingset.resultPolicy.';

/** The objects that the host has pinned. */
export const pinnedKey = 'host.swingset.pinned';
