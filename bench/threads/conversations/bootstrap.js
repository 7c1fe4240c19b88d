// Sixteen conversations at once: in a round, each of eight pairs of vats sends two balls back and forth. The argument
// work=N is the number of steps a vat takes at each ball.

import { E, Far } from '@endo/far';

const pairs = 8;

const hits = 8;

export const buildRootObject = (_vatPowers, { argv = [] }) => {
  const given = argv.find(each => each.startsWith('work='));
  const work = given === undefined ? 25_000 : Number(given.slice('work='.length));
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
