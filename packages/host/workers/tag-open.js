// A sample of few cranks ends where a tag does: half of the cranks of a tag would show no others that they could overlap.

/** @import { Kernel } from '#kernel' */

/**
 * Whether more is queued at the present tag.
 *
 * @param {Pick<Kernel, 'now' | 'nextTag'>} kernel
 */
export const isTagOpen = ({ now, nextTag }) =>
  nextTag?.timeNs === now.timeNs && nextTag.microstep === now.microstep;
