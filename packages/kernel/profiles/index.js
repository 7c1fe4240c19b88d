import { profileCurrent } from './current.js';
import { profile2020 } from './v2020.js';

/** The profiles by name; `current` is the default. */
export const profiles = Object.freeze({ current: profileCurrent, '2020-09': profile2020 });
