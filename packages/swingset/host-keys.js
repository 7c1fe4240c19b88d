// Keys of values that a host program of SwingSet sets. They have no effect here, but tools read them.

/** The kind of workers that a config asks for. */
export const managerTypeKey = 'host.swingset.managerType';

/** After how many deliveries a worker would be stored again. */
export const snapshotIntervalKey = 'host.swingset.snapshotInterval';

/** Policies of results that are not settled yet and have one with an effect: JSON of pairs of id and policy. */
export const resultPoliciesKey = 'host.swingset.resultPolicies';
