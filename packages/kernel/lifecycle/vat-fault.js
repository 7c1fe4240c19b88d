import { BaseError, freezeErrorClass } from '#model';

/** A rule broken by a vat. The message goes to the log, never to another vat. */
export class VatFault extends BaseError {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'VatFault';
  }
}
freezeErrorClass(VatFault);
