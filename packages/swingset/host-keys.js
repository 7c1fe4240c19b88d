// What a host program of SwingSet said that has no effect here, and that tools may read.

/** The kind of workers that a config asks for. */
export const managerTypeKey = 'host.swingset.managerType';

/** Krefs that a vat drops before it is asked for more. */
export const gcKrefsKey = 'host.swingset.gcKrefs';
