// What comms does not do for someone: the message says why. It reaches whoever asked, and changes nothing.

export class Refusal extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'Refusal';
  }
}
