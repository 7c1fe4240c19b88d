import { Far } from '@endo/far';
import { reasons } from './reasons.js';

export const buildRootObject = (vatPowers, { number, way }) => {
  const reason = reasons[number];
  if (way === 'build') throw reason();
  if (way === 'rejects') return Promise.reject(reason());
  if (way === 'root') return reason();
  if (way === 'exits') vatPowers.exitVatWithFailure(reason());
  return Far('child', {
    fail() {
      vatPowers.exitVatWithFailure(reason());
      throw reason();
    },
  });
};
