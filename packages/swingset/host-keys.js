// Keys of values that a host program of SwingSet sets. They have no effect here, but tools may read them.

/** The kind of workers that a config asks for. */
export const managerTypeKey = 'host.swingset.managerType';

/** Krefs that a vat drops before it is asked for more. */
export const gcKrefsKey = 'host.swingset.gcKrefs';
