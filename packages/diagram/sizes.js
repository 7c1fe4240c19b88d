// The sizes of items and boxes in pixels, which the layout needs.

import { textWidth } from './text-width.js';

/** @import { Box, Item } from './scene.js' */

export const textSizes = Object.freeze({
  title: 13,
  subtitle: 11,
  item: 12,
  note: 10,
  port: 10.5,
  link: 10.5,
});

/** The length of a reaction's arrow head. */
export const reactionTip = 9;

/** Width and height of the sign of a timer, an action, startup … */
export const signSize = 26;

const lineHeight = 13;

/**
 * @param {Item} item
 * @returns {{ width: number, height: number, middleY: number, insetIn: number, insetOut: number }} `middleY`: the
 *   height at which links begin and end; `inset…`: their distance from the edges of the area
 */
export const sizeOfItem = item => {
  const { kind, label, notes, warning } = item;
  const lines = [...notes, ...(warning === undefined ? [] : [warning])];
  const text = Math.max(
    textWidth(label, textSizes.item, true),
    ...lines.map(line => textWidth(line, textSizes.note)),
  );
  if (kind === 'reaction' || kind === 'mutation' || kind === 'transient' || kind === 'object') {
    const tip = kind === 'transient' || kind === 'object' ? 0 : reactionTip;
    const width = Math.ceil(text) + 2 * tip + 16;
    const height = 24 + lineHeight * lines.length;
    return { width, height, middleY: height / 2, insetIn: tip, insetOut: 0 };
  }
  const width = Math.max(signSize, Math.ceil(text) + 4);
  const height = signSize + 16 + lineHeight * lines.length;
  const isAction = kind === 'logical' || kind === 'physical';
  // At half its height a triangle is narrower.
  const inset = (width - signSize) / 2 + (isAction ? signSize / 4 : 1);
  return { width, height, middleY: signSize / 2, insetIn: inset, insetOut: inset };
};

/**
 * @param {Box} box
 * @returns {{ width: number, height: number, top: number }} the minimum size; `top`: the height of title and subtitle
 */
export const sizeOfBox = ({ title, subtitle, items, boxes }) => {
  const name = textWidth(title, textSizes.title, true);
  const text = name + (subtitle === '' ? 0 : 8 + textWidth(subtitle, textSizes.subtitle));
  const isEmpty = items.length + boxes.length === 0;
  return { width: Math.ceil(text) + 28, height: isEmpty ? 44 : 60, top: 30 };
};
