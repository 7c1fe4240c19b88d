// Repeats recorded runs.

export { replayRecording } from './replay-recording.js';
