// Pure algorithms of ordering. Imports only `#model`.

export * from './event-queue.js';
