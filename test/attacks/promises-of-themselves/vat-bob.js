import { E, Far } from '@endo/far';

export const buildRootObject = () => {
  const kept = new Map();
  return Far('bob', {
    ask: mallory => void kept.set('asked for', E(mallory).answer()),
    take: (kind, promise) => void kept.set(kind, promise),
    async use() {
      for (const kind of ['given', 'first of a ring', 'second of a ring', 'asked for']) {
        const promise = kept.get(kind);
        // One after the other, so that the lines are.
        // eslint-disable-next-line no-await-in-loop
        const outcome = await E(promise)
          .foo(promise)
          .then(
            () => 'answered',
            ({ name }) => `refused: ${name}`,
          );
        console.log(`${kind}: a message is ${outcome}`);
      }
    },
    alive: () => 'lives',
  });
};
