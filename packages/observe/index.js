// Shows a run to people and tools: clocks for measuring, facts about the engine, the dump and the outlines of reactors.
// The slog and the writer of traces have entries of their own; trace.js is loaded on demand.

export { javaScriptClock, openClock } from './clock.js';
export { dumpKernel, dumpRaw, findDifferences } from './dump.js';
export { describeEngines, findEngineFacts, noteEngine, readEngines } from './engine-facts.js';
export { outlineVats } from './outlines.js';
export { makeTraffic } from './traffic.js';
