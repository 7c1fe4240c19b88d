// Runs that were recorded, run again.

export { replayRecording } from './replay-recording.js';
