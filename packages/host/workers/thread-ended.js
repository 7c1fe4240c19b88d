// The error of what was asked of a thread, or of a vat's process, that has ended. It is replaced, so this costs only time.

export class ThreadEnded extends Error {}
