// The programs of demos/savina, in the order of Savina's paper.

/** @typedef {{ id: string, title: string, group: 'micro' | 'concurrency' | 'parallelism' }} SavinaProgram */

/**
 * @param {SavinaProgram['group']} group
 * @param {[id: string, title: string][]} list
 * @returns {SavinaProgram[]}
 */
const inGroup = (group, list) => list.map(([id, title]) => ({ id, title, group }));

/** `id` is a folder of demos/savina. */
export const programs = Object.freeze([
  ...inGroup('micro', [
    ['pingpong', 'Ping Pong'],
    ['pingpongmulti', 'Ping Pong, two pairs'],
    ['count', 'Counting Actor'],
    ['fjthrput', 'Fork Join (throughput)'],
    ['fjcreate', 'Fork Join (creation)'],
    ['threadring', 'Thread Ring'],
    ['chameneos', 'Chameneos'],
    ['big', 'Big'],
    ['fib', 'Fibonacci'],
  ]),
  ...inGroup('concurrency', [
    ['concdict', 'Concurrent Dictionary'],
    ['concsll', 'Concurrent Sorted List'],
    ['bndbuffer', 'Bounded Buffer'],
    ['philosopher', 'Dining Philosophers'],
    ['barber', 'Sleeping Barber'],
    ['cigsmok', 'Cigarette Smokers'],
    ['logmap', 'Logistic Map Series'],
    ['banking', 'Bank Transaction'],
  ]),
  ...inGroup('parallelism', [
    ['radixsort', 'Radix Sort'],
    ['filterbank', 'Filter Bank'],
    ['sieve', 'Sieve of Eratosthenes'],
    ['uct', 'Unbalanced Tree'],
    ['facloc', 'Facility Location'],
    ['trapezoid', 'Trapezoidal'],
    ['piprecise', 'Precise Pi'],
    ['recmatmul', 'Matrix Multiplication'],
    ['quicksort', 'Quicksort'],
    ['apsp', 'All-Pairs Shortest Path'],
    ['sor', 'Over-Relaxation'],
    ['astar', 'A-Star Search'],
    ['nqueenk', 'N-Queens'],
    ['bitonicsort', 'Bitonic Sort'],
  ]),
]);
