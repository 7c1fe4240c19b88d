// From Node 22 on the stack of an error lies behind a setter, which freezing leaves. Mallory hardens errors that inherit from
// everything that data inherits from, and leaves a mark on each: two that share only a hardened error could talk by it, and a vat
// could tell which Node it runs on.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap: vats => E(vats.mallory).mark(),
  });
