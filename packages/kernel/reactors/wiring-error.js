// An error in a config's connections. The kernel names the place in the plan, the host the file.

import { freezeErrorClass, UserError } from '#model';

export class WiringError extends UserError {
  /**
   * @param {string} place  in the plan, as it is in the config: `connections[2].from`
   * @param {string} problem  continues the sentence that begins with the place
   */
  constructor(place, problem) {
    super(`${place}${problem}`);
    this.place = place;
  }
}
freezeErrorClass(WiringError);
