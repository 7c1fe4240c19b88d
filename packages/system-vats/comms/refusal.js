// The error of a request that comms refuses. Its message, the reason, goes to the requester; nothing has changed.

import { BaseError, freezeErrorClass } from '#model';

export class Refusal extends BaseError {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'Refusal';
  }
}
freezeErrorClass(Refusal);
