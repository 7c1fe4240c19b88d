// The text of a vat's dead references in its transcript: three lists, and a fourth for virtual data.

/** @import { Dead } from './references.js' */

/** @param {Dead} dead */
export const formatDead = ({ dropped, retired, retiredExports, representatives }) =>
  [dropped, retired, retiredExports, ...(representatives.length > 0 ? [representatives] : [])]
    .map(list => list.join(' '))
    .join(';');

/** @param {string} text @returns {Dead} */
export const parseDead = text => {
  const [dropped, retired, retiredExports, representatives = []] = text
    .split(';')
    .map(list => (list === '' ? [] : list.split(' ')));
  return { dropped, retired, retiredExports, representatives };
};
