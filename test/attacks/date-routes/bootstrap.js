// Vats have dates in UTC. Mallory looks for another class of dates, which knows the zone of the machine: by every way to make
// one, and by methods of one on another.
import { Far } from '@endo/far';

const at = [2020, 6, 1, 12];
class Mine extends Date {}
const proxied = new Proxy(Date, {});

/** A class without a prototype: the engine then takes its own of the realm of that class. */
const bare = () => {
  function Bare() {}
  Bare.prototype = null;
  return Bare;
};

/** By the methods that it has itself. */
const askItself = date => new Date(date.getTime() + date.getTimezoneOffset() * 60_000);

const makers = [
  () => new Date(...at),
  () => new Mine(...at),
  () => new proxied(...at),
  () => Reflect.construct(Date, at),
  () => Reflect.construct(Date, at, Object),
  () => Reflect.construct(Date, at, Mine),
  () => Reflect.construct(Date, at, bare()),
  () => Reflect.construct(Date, at, Date.bind(null)),
  () => askItself(Reflect.construct(Date, at, bare())),
  () => new (Reflect.construct(Date, at, bare()).constructor)(...at),
  () => new new Date(0).constructor(...at),
  () => new (Object.getPrototypeOf(new Mine(0)).constructor)(...at),
  () => new Compartment().evaluate('new Date(2020, 6, 1, 12)'),
  () => new Compartment().evaluate('new Compartment().evaluate("new Date(2020, 6, 1, 12)")'),
  () => new Compartment({ Date: Date }).evaluate('new Date(2020, 6, 1, 12)'),
  () => {
    function Fake() {}
    Fake.prototype = {
      get globalThis() {
        return {};
      },
    };
    const made = Reflect.construct(Compartment, [], Fake);
    return Compartment.prototype.evaluate.call(made, 'new Date(2020, 6, 1, 12)');
  },
  () => new Function('return new Date(2020, 6, 1, 12)')(),
  () => (0, eval)('new Date(2020, 6, 1, 12)'),
  () => Object.setPrototypeOf(new Date(...at), Object.getPrototypeOf(new (Date.bind(null))(0))),
  () => new Date('2020-07-01T12:00'),
  () => new Date('Jul 1 2020 12:00'),
  () => new Date('7/1/2020 12:00 PM'),
  () => new Date({ [Symbol.toPrimitive]: () => '2020-07-01 12:00' }),
  () => new Date(new Date(2020, 6, 1).setHours(12)),
];

const ask = Date.prototype;
const questions = [
  date => ask.getTime.call(date),
  date => ask.toString.call(date),
  date => ask.getHours.call(date),
  date => ask.getTimezoneOffset.call(date),
  date => ask[Symbol.toPrimitive].call({ toString: () => ask.toString.call(date) }, 'string'),
  date => ask.toLocaleString.call(date, 'de', { timeZoneName: 'long' }),
  date => ask.toJSON.call({ toISOString: () => ask.toTimeString.call(date) }),
];

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap() {
      const answers = makers.map(make => questions.map(question => question(make())).join());
      for (const answer of answers) console.log(answer);
      // In the hash, which is compared between machines.
      return answers.join();
    },
  });
