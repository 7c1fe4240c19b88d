// Writes a run as a trace that Perfetto shows.

export { writeToFile } from './file.js';
export { makeFlows } from './flows.js';
export { makePacketWriter } from './packets.js';
export { makeReactionNames, makeReactionViews } from './names.js';
export { traceTo } from './reactors.js';
export { makeTimelines } from './timelines.js';
export { makeTraceWriter } from './writer.js';

/** @typedef {import('./names.js').ReactionView} ReactionView */
