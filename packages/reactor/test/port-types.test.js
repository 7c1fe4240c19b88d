// The types of ports decide which connections compile. `tsc` reads the expectations: one that is no error any more is an
// error.

import test from 'ava';
import { Reactor, interleaved } from '../index.js';

/** @import { InMultiPort, InPort, OutPort } from '../index.js' */

class Ends extends Reactor {
  numbers = /** @type {OutPort<number>} */ (this.output());

  texts = /** @type {InPort<string>} */ (this.input());

  either = /** @type {InPort<number | string>} */ (this.input());

  moreNumbers = /** @type {InPort<number>} */ (this.input());

  anything = this.input();

  someNumbers = /** @type {InMultiPort<number>} */ (this.inputs(2));

  untyped = this.output();

  someUntyped = this.outputs(2);

  someAction = this.action();

  read = this.reaction(
    { triggers: [this.anything, this.someAction], effects: this.numbers },
    () => {
      // @ts-expect-error: what a port without a type gives is unknown
      this.numbers.set(this.anything.get());
      // @ts-expect-error: so is what an action without a type gives
      this.numbers.set(this.someAction.get());
    },
  );
}

/** Connects what the types allow, or what they do not; the program is not run. */
class Container extends Reactor {
  constructor() {
    super(null);
    const one = new Ends(this);
    const other = new Ends(this);

    this.connect(one.numbers, other.moreNumbers);
    this.connect(one.numbers, other.either);
    this.connect(one.numbers, other.anything);
    this.connect([one.numbers, [other.numbers]], other.someNumbers);
    this.connect(interleaved([one.numbers, other.numbers]), other.someNumbers);
    this.connect(one.numbers, other.someNumbers.channel(1));

    // @ts-expect-error: a number is no string
    this.connect(one.numbers, other.texts);
    // @ts-expect-error: in lists, neither
    this.connect([one.numbers], [other.texts]);
    // @ts-expect-error: what may be a string is no number
    this.connect(one.either, other.moreNumbers);
    // @ts-expect-error: nor are channels taken in turn
    this.connect(interleaved([one.numbers]), other.texts);
    // @ts-expect-error: a reactor is no port
    this.connect(one, other.texts);
    // @ts-expect-error: a port without a type may give anything
    this.connect(one.untyped, other.moreNumbers);
    // @ts-expect-error: the same of a multiport
    this.connect(one.someUntyped, other.someNumbers);
  }
}

test('types of ports are for tsc alone: nothing is refused for them when a program is made', t => {
  t.notThrows(() => new Container());
});
