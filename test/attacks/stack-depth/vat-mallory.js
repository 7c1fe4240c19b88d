import { E, Far } from '@endo/far';

const findDepth = () => {
  let depth = 0;
  const dive = () => {
    depth += 1;
    dive();
  };
  try {
    dive();
  } catch {
    // The engine refuses at some depth.
  }
  return depth;
};

export const buildRootObject = () => {
  const sink = Far('sink', { hear() {} });
  return Far('mallory', {
    tell() {
      // What she says grows with the depth, so that one frame more or less is another message.
      E(sink).hear();
      return findDepth();
    },
  });
};
