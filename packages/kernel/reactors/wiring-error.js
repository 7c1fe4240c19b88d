// A mistake in what a config says of reactors. The kernel knows its place in the plan; the file is the host's to name.

import { freezeErrorClass, UserError } from '#model';

export class WiringError extends UserError {
  /**
   * @param {string} place  in the plan, as it is in the config: `connections[2].from`
   * @param {string} problem  goes on from the place
   */
  constructor(place, problem) {
    super(`${place}${problem}`);
    this.place = place;
  }
}
freezeErrorClass(WiringError);
