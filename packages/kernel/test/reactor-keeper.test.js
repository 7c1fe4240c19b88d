// The reactor table knows which vats' next tags may have changed.

import test from 'ava';
import { Journal } from '../tables/journal.js';
import { ReactorKeeper } from '../reactors/reactors.js';

const shape = {
  inputs: [],
  outputs: [],
  actions: [],
  dependencies: [],
  mayRequestStop: false,
  hasRoot: true,
};

/** @param {ReactorKeeper} keeper */
const moved = keeper => keeper.takeMoved().map(({ vatId }) => vatId);

test('a vat whose end was dropped with its crank is reported again when it changes', t => {
  const journal = new Journal();
  const keeper = new ReactorKeeper(journal);
  keeper.add('v1', shape);
  journal.keep();
  t.deepEqual(moved(keeper), ['v1']);
  keeper.change(keeper.require('v1'));
  keeper.remove('v1');
  // As the kernel drops a crank.
  keeper.takeMoved();
  journal.drop();
  keeper.change(keeper.require('v1'));
  t.deepEqual(moved(keeper), ['v1']);
});
