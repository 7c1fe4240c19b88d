import { Far } from '@endo/far';

/** Ways to learn how much of the stack is left: calls, calls of the engine's own, its parser, arguments. */
const sorts = [
  () => {
    let depth = 0;
    const dive = () => {
      depth += 1;
      dive();
    };
    try {
      dive();
    } catch {
      return depth;
    }
    return depth;
  },
  () => {
    let depth = 0;
    const dive = () => {
      depth += 1;
      [1].map(dive);
    };
    try {
      dive();
    } catch {
      return depth;
    }
    return depth;
  },
  () => {
    // Nested data, by steps of a tenth.
    for (let depth = 500; depth < 30_000; depth = Math.ceil(depth * 1.3)) {
      try {
        JSON.stringify(JSON.parse('['.repeat(depth) + ']'.repeat(depth)));
      } catch {
        return depth;
      }
    }
    return 'no bound';
  },
  () => {
    for (let length = 1; length < 20; length += 1) {
      try {
        Math.max(...new Array(2 ** length).fill(1));
      } catch {
        return length;
      }
    }
    return 'no bound';
  },
];

export const buildRootObject = () => Far('mallory', { tell: () => sorts.map(sort => sort()) });
