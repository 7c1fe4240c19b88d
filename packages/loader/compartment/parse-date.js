// Parses dates without the engine's parser: the formats that it accepts beside the standard's differ between engines
// and versions, and it takes a text without a zone to be in the machine's zone. Here such a text is in UTC.
//
// Accepted are the standard's format, also with a blank instead of its `T`, the output of `toString` and `toUTCString`,
// and common English formats: `Jan 2, 2020`, `2 January 2020`, `1/2/2020`, `2020/1/2`, and `ctime`.

const HostDate = globalThis.Date;

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Hours ahead of UTC. @type {Record<string, number>} */
const zones = {
  Z: 0,
  UT: 0,
  UTC: 0,
  GMT: 0,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
};

const month = `(?<name>${monthNames.join('|')})[a-z]*\\.?`;
const day = '(?<day>\\d{1,2})';
const weekday = '(?:(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*\\.?,?\\s+)?';
const year = '(?<year>[+-]?\\d{1,6})';
const clock =
  '(?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:[.,](?<fraction>\\d{1,9}))?)?(?:\\s*(?<half>[ap]m))?';
const zone = `\\s*(?<zone>${Object.keys(zones).join('|')})?\\s*(?<offset>[+-]\\d\\d(?::?\\d\\d)?)?`;
const time = `(?:(?:,?\\s+|,?\\s*at\\s+)${clock}${zone})?`;

/** @param {string} text */
const pattern = text => new RegExp(`^\\s*${text}\\s*$`, 'i');

const iso =
  /^(?<year>[+-]\d{6}|\d{4})(?:-(?<month>\d\d)(?:-(?<day>\d\d))?)?(?:[Tt ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?(?:(?<zone>[Zz])|(?<offset>[+-]\d\d:\d\d))?)?$/;

const patterns = [
  pattern(`${weekday}${month}\\s*${day},?\\s+${year}${time}`),
  pattern(`${weekday}${day}[\\s-]*${month}(?:[\\s,]+|-|)${year}${time}`),
  pattern(`${weekday}${month}\\s+${day}\\s+${clock}${zone}\\s+${year}`),
  pattern(`(?<month>\\d{1,2})[/-]${day}[/-](?<year>\\d{1,6})${time}`),
  pattern(`(?<year>\\d{3,6})[/-](?<month>\\d{1,2})[/-]${day}${time}`),
];

/** @param {string} text  of a year, outside of the standard's format */
const readYear = text => {
  const number = Number(text);
  if (!/^\d{1,2}$/.test(text)) return number;
  return number + (number < 50 ? 2000 : 1900);
};

/** @param {string | undefined} name @param {string} offset  `+hh`, `+hhmm` or `+hh:mm` @returns {number} in ms */
const readOffset = (name, offset) => {
  const [, sign, hours, minutes = '0'] = /([+-])(\d\d):?(\d\d)?/.exec(offset) ?? ['', '+', '0'];
  if (Number(minutes) > 59 || Number(hours) > 23) return NaN;
  const size = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return (name ? zones[name.toUpperCase()] : 0) * 3_600_000 + (sign === '-' ? -size : size);
};

/** @param {number} hour @param {string | undefined} half @returns {number} */
const readHour = (hour, half) => {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return NaN;
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
};

/**
 * @param {number} years
 * @param {Record<string, string | undefined>} parts
 */
const assemble = (years, parts) => {
  const { name, zone: zoneName, offset = '', fraction = '' } = parts;
  const months =
    name === undefined
      ? Number(parts.month ?? 1) - 1
      : monthNames.indexOf(name.slice(0, 3).toLowerCase());
  const days = Number(parts.day ?? 1);
  const hours = readHour(Number(parts.hour ?? 0), parts.half);
  const minutes = Number(parts.minute ?? 0);
  const seconds = Number(parts.second ?? 0);
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const isDay = months >= 0 && months < 12 && days >= 1 && days <= 31;
  const isEnd = hours === 24 && minutes === 0 && seconds === 0 && ms === 0;
  if (!isDay || minutes > 59 || seconds > 59 || !(hours < 24 || isEnd)) return NaN;
  // Date.UTC would add 1900 to years below 100.
  const date = new HostDate(0);
  date.setUTCFullYear(years, months, days);
  date.setUTCHours(hours, minutes, seconds, ms);
  return new HostDate(date.getTime() - readOffset(zoneName, offset)).getTime();
};

/**
 * @param {string} text
 * @returns {number}  ms since 1970, NaN for an unknown format
 */
export const parseDate = text => {
  if (text.length > 200) return NaN;
  const standard = iso.exec(text)?.groups;
  if (standard)
    return standard.year === '-000000' ? NaN : assemble(Number(standard.year), standard);
  const bare = text.replace(/\([^()]*\)/g, ' ');
  for (const each of patterns) {
    const parts = each.exec(bare)?.groups;
    if (parts) return assemble(readYear(parts.year), parts);
  }
  return NaN;
};
