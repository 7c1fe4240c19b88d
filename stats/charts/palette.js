// One hue a run, a shade a field. The hues are those of Okabe and Ito (Color Universal Design, 2008), which stay
// apart for colour-blind readers, without their yellow, which is too faint for a line on white.

const hues = [
  '#0072B2',
  '#D55E00',
  '#009E73',
  '#AA4499',
  '#E69F00',
  '#56B4E9',
  '#555555',
  '#8B5A2B',
];

/** When the hues are used up they come again with another stroke. */
const dashes = [
  [1, 0],
  [7, 3],
  [2, 2],
  [9, 3, 2, 3],
];

/** How far a shade lies towards white (above 0) or black (below 0), the first field's first. */
const shades = {
  1: [0],
  2: [-0.12, 0.5],
  3: [-0.3, 0.15, 0.6],
  4: [-0.45, 0, 0.42, 0.7],
};

/** @param {number} run  from 0 */
export const runHue = run => hues[run % hues.length];

/** @param {number} run  from 0 */
export const runDash = run => dashes[Math.floor(run / hues.length) % dashes.length];

/** Runs that differ by hue alone. */
export const hueCount = hues.length;

/**
 * @param {string} hue  `#rrggbb`
 * @param {number} towards  -1 black, 0 the hue itself, 1 white
 */
const mix = (hue, towards) => {
  const end = towards < 0 ? 0 : 255;
  const channels = [1, 3, 5].map(at => {
    const channel = Number.parseInt(hue.slice(at, at + 2), 16);
    return Math.round(channel + (end - channel) * Math.abs(towards));
  });
  return `#${channels.map(channel => channel.toString(16).padStart(2, '0')).join('')}`;
};

/**
 * @param {number} run  from 0
 * @param {number} field  from 0: the first is the darkest
 * @param {number} fields  more than four have no shades of their own
 */
export const fieldShade = (run, field, fields) =>
  fields in shades
    ? mix(runHue(run), shades[/** @type {1 | 2 | 3 | 4} */ (fields)][field])
    : runHue(run);
