// The error of a request that comms refuses: the message says why. It reaches whoever asked, and changes nothing.

import { BaseError, freezeErrorClass } from '#model';

export class Refusal extends BaseError {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'Refusal';
  }
}
freezeErrorClass(Refusal);
