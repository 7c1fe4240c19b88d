// Chooses colours: a hue for each run and a shade for each field; the fields of a single run have a
// hue each. The hues begin with those of Okabe and Ito (Color Universal Design, 2008), which
// colour-blind readers can distinguish. Each hue and each shade has a contrast of at least 3:1 to
// white, as WCAG 2.2 (1.4.11) requires for graphics.

const hues = [
  '#0072B2',
  '#D55E00',
  '#008F68',
  '#AA4499',
  '#9A6F00',
  '#332288',
  '#555555',
  '#882255',
];

/** Dashes for runs beyond the number of hues, which then repeat. */
const dashes = [
  [1, 0],
  [7, 3],
  [2, 2],
  [9, 3, 2, 3],
];

/** Marks for points of the same runs. */
const shapes = ['circle', 'square', 'triangle-up', 'diamond'];

/** Shades of the fields, from black (-1) to the palest colour with enough contrast (1). */
const shades = {
  1: [0],
  2: [-0.4, 1],
  3: [-0.55, 0, 1],
  4: [-0.65, -0.3, 0.2, 1],
};

/** The least contrast to white. */
const leastContrast = 3;

/** @param {number} run  from 0 */
export const runHue = run => hues[run % hues.length];

/** @param {number} run  from 0 */
export const runDash = run => dashes[Math.floor(run / hues.length) % dashes.length];

/** @param {number} run  from 0 */
export const runShape = run => shapes[Math.floor(run / hues.length) % shapes.length];

/** The number of runs that differ by hue alone. */
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
 * The contrast of a colour to white, by WCAG 2.2: 1 for white, 21 for black.
 *
 * @param {string} colour  `#rrggbb`
 */
export const contrastToWhite = colour => 1.05 / (luminance(colour) + 0.05);

/** @param {string} colour  `#rrggbb` */
const luminance = colour => {
  const [red, green, blue] = [1, 3, 5].map(at => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** The background of a page in the dark. */
const darkGround = '#15181d';

/** @param {string} colour */
export const contrastToDark = colour => (luminance(colour) + 0.05) / (luminance(darkGround) + 0.05);

/**
 * A colour for a dark page: the same hue, as pale as the contrast requires.
 *
 * @param {string} colour  `#rrggbb`
 */
export const forDark = colour => {
  let towards = 0;
  while (contrastToDark(mix(colour, towards)) < 1.5 * leastContrast) towards += 0.02;
  return mix(colour, towards);
};

/** The largest share of white that leaves enough contrast. @param {string} hue */
const palest = hue => {
  let towards = 0;
  while (contrastToWhite(mix(hue, towards + 0.01)) >= leastContrast) towards += 0.01;
  return towards;
};

/**
 * @param {number} run  from 0
 * @param {number} field  from 0: the first is the darkest
 * @param {number} fields  if more than four, all fields have the run's hue
 */
export const fieldShade = (run, field, fields) => {
  const hue = runHue(run);
  if (!(fields in shades)) return hue;
  const shade = shades[/** @type {1 | 2 | 3 | 4} */ (fields)][field];
  return mix(hue, shade < 0 ? shade : shade * palest(hue));
};

/** A colour as pale as is still seen well: for points that lines stand out of. @param {string} colour  `#rrggbb` */
export const paleTone = colour => mix(colour, palest(colour));

/** The tone of such points on a dark page. @param {string} colour  `#rrggbb` */
export const toneForDark = colour => {
  const seen = forDark(colour);
  let towards = 0;
  while (contrastToDark(mix(seen, towards - 0.02)) >= leastContrast) towards -= 0.02;
  return mix(seen, towards);
};

/** The stroke of a field, beside its shade. @param {number} field  from 0 */
export const fieldDash = field => dashes[field % dashes.length];
