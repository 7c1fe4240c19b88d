// The compiler reads this file where it is, and the path in package.json where npm links the package.
export * from '../../../types/packages/reactor-ts/index.js';
