/** A rule broken by a vat. The message goes to the log, never to another vat. */
export class VatFault extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'VatFault';
  }
}
