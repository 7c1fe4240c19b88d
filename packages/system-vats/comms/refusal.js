// What comms does not do for someone: the message says why. It reaches whoever asked, and changes nothing.

import { BaseError, freezeErrorClass } from '#model';

export class Refusal extends BaseError {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'Refusal';
  }
}
freezeErrorClass(Refusal);
