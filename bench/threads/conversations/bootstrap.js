// Sixteen conversations at once: in a round, each of eight pairs of vats sends two balls back and forth.

import { E, Far } from '@endo/far';

const pairs = 8;

export const buildRootObject = (_vatPowers, { hits = 8, work = 25_000 }) => {
  let players;
  return Far('bootstrap', {
    bootstrap(vats) {
      players = Array.from({ length: 2 * pairs }, (_, i) => vats[`player${i}`]);
    },

    async runBenchmarkRound() {
      const balls = players.map((player, i) => E(player).hit(players[i ^ 1], player, hits, work));
      return Promise.all(balls);
    },
  });
};
