// Builds and runs the program of a plan, over reactor-ts or over this package, and tells what its reactions saw.

import { makeRandom } from '#testkit';
import { planProgram } from './plan.js';

/** @import { Part, ReactionPlan, ReactorPlan } from './plan.js' */

/** Lines told, at most. */
const mostLines = 400;

/** Runs of a reaction that have effects. */
const mostRuns = 60;

/** A deadline that is never missed. */
const longSec = 36_000;

/** @param {any} value */
const show = value => {
  if (value === undefined) return '-';
  if (Array.isArray(value)) return `[${value.join('+')}]`;
  // Timers have tags, with the physical time of the start.
  return typeof value === 'object' && value !== null ? 'tag' : String(value);
};

/** @param {any} variable  of a reaction */
const read = variable =>
  variable.values === undefined
    ? show(variable.get())
    : `(${Array.from(variable.values(), show).join(' ')})`;

/** Tries something that reactor-ts may refuse. @param {() => void} act @param {() => void} onRefusal */
const attempt = (act, onRefusal) => {
  try {
    act();
  } catch {
    onRefusal();
  }
};

/** The reactor by which generated programs delay connections. It goes on for a while only, since it may be in a circle without a delay. @param {any} R */
const makeDelay = R =>
  class Delay extends R.Reactor {
    /** @param {any} parent @param {any} delay */
    constructor(parent, delay) {
      super(parent);
      this.act = new R.Action(this, R.Origin.logical, delay);
      this.inp = new R.InPort(this);
      this.out = new R.OutPort(this);
      this.addReaction(
        [this.act],
        [this.act, this.writable(this.out)],
        (/** @type {any} */ act, /** @type {any} */ out) => out.set(act.get()),
      );
      let runs = 0;
      this.addReaction(
        [this.inp],
        [this.inp, this.schedulable(this.act)],
        (/** @type {any} */ inp, /** @type {any} */ act) => {
          runs += 1;
          if (runs <= mostRuns) act.schedule(0, inp.get());
        },
      );
    }
  };

/**
 * @typedef {object} Context
 * @property {any} R  the module of reactor-ts
 * @property {any} Delay
 * @property {any[]} classes  by kind
 * @property {(line: string) => void} tell
 * @property {(count: number) => any} us  a time of some microseconds
 */

/** @param {any} self @param {any} server @param {string} name @param {Context['tell']} tell */
const addProcedure = (self, server, name, tell) => {
  let count = 0;
  self.addReaction([server], [server], () => {
    count += 1;
    tell(`${name} called ${server.get()}`);
    server.return(server.get() * 3 + count);
  });
};

/** Gives a reactor or an app the parts of its plan. */
class Builder {
  /** @param {Context} context @param {any} self @param {ReactorPlan} plan @param {string} name */
  constructor(context, self, plan, name) {
    const { R, classes, tell, us } = context;
    this.context = context;
    this.self = self;
    this.plan = plan;
    this.name = name;
    const keep = (/** @type {string} */ key, /** @type {any} */ part) => (self[key] = part);
    this.timers = plan.timers.map(([offset, period], i) =>
      keep(`timer${i}`, new R.Timer(self, us(offset), us(period))),
    );
    this.actions = plan.actions.map((delay, i) =>
      keep(`action${i}`, new R.Action(self, R.Origin.logical, us(delay))),
    );
    self.ins = plan.ins.map((width, i) =>
      keep(`in${i}`, width > 0 ? new R.InMultiPort(self, width) : new R.InPort(self)),
    );
    self.outs = plan.outs.map((width, i) =>
      keep(`out${i}`, width > 0 ? new R.OutMultiPort(self, width) : new R.OutPort(self)),
    );
    this.children = plan.children.map(([kind, width], i) => {
      const child = `${name}.${i}`;
      const made =
        width > 0
          ? new R.Bank(self, width, classes[kind], self, child)
          : new classes[kind](self, child);
      return keep(`child${i}`, made);
    });
    if (plan.isServer) addProcedure(self, keep('server', new R.CalleePort(self)), name, tell);
    if (plan.isClient) keep('client', new R.CallerPort(self));
    for (const mutation of plan.mutations) this.#mutate(mutation);
    for (const connection of plan.connections)
      attempt(
        () => this.#connect(connection, keep),
        () => tell(`${name} refuses to connect`),
      );
    plan.reactions.forEach((reaction, index) => this.#react(reaction, index));
    for (const [client, server] of plan.calls)
      attempt(
        () => self._connectCall(this.children[client].client, this.children[server].server),
        () => tell(`${name} refuses the call`),
      );
  }

  /** The ports of a part; of a bank, those of all its members. @param {Part} part @returns {any[]} */
  ports([kind, at, index]) {
    const { self, children, plan } = this;
    if (kind === 'in') return [self.ins[at ?? 0]];
    if (kind === 'out') return [self.outs[at ?? 0]];
    const of = (/** @type {any} */ each) => (kind === 'childIn' ? each.ins : each.outs)[index ?? 0];
    const child = children[at ?? 0];
    return plan.children[at ?? 0][1] > 0 ? [...child.port(of)] : [of(child)];
  }

  /** @param {Part} part @returns {any} */
  trigger(part) {
    const [kind, index] = part;
    if (kind === 'startup' || kind === 'shutdown') return this.self[kind];
    if (kind === 'timer') return this.timers[index];
    if (kind === 'action') return this.actions[index];
    return this.ports(part)[0];
  }

  /** @param {Part} part @returns {any} */
  writable(part) {
    const { self } = this;
    if (part[0] === 'action') return self.schedulable(this.actions[part[1]]);
    const [port] = this.ports(part);
    return port.width === undefined ? self.writable(port) : self.allWritable(port);
  }

  /** @param {ReactorPlan['connections'][0]} plan @param {(key: string, part: any) => any} keep */
  #connect({ sources, destinations, delayUs, repeats }, keep) {
    const { self } = this;
    const { R, Delay, us } = this.context;
    const from = sources.flatMap(part => this.ports(part));
    const to = destinations.flatMap(part => this.ports(part));
    if (delayUs !== null) {
      const width = from.reduce((sum, port) => sum + (port.width?.() ?? 1), 0);
      const bank = new R.Bank(self, width, Delay, self, us(delayUs));
      keep(`delay${Object.keys(self).length}`, bank);
      self._connectMulti(from, [...bank.port((/** @type {any} */ each) => each.inp)], false);
      self._connectMulti([...bank.port((/** @type {any} */ each) => each.out)], to, repeats);
    } else if (from.length + to.length > 2 || from[0].width || to[0].width)
      self._connectMulti(from, to, repeats);
    else self._connect(from[0], to[0]);
  }

  /** @param {ReactorPlan['mutations'][0]} plan */
  #mutate({ trigger, source, destination, connectsFirst }) {
    const { name } = this;
    const { tell } = this.context;
    const ends = () => [this.ports(source)[0], this.ports(destination)[0]];
    let count = 0;
    /** @this {any} */
    const mutate = function mutate() {
      count += 1;
      const connects = (count % 2 === 1) === connectsFirst;
      if (count > 6) return;
      tell(`${name} ${connects ? 'connects' : 'disconnects'}`);
      const [from, to] = ends();
      attempt(
        () => {
          if (connects) this.connect(from.asConnectable(), to.asConnectable());
          else this.disconnect(from, to);
        },
        () => tell(`${name} refuses it`),
      );
    };
    this.self.addMutation([this.trigger(trigger)], [], mutate);
  }

  /** @param {ReactionPlan} plan @param {number} index */
  #react(plan, index) {
    const { self, name } = this;
    const { R, tell, us } = this.context;
    const readParts = [...plan.triggers, ...plan.reads].filter(
      part => part[0] !== 'startup' && part[0] !== 'shutdown',
    );
    const args = [
      ...readParts.map(part => this.trigger(part)),
      ...plan.writes.map(part => this.writable(part)),
      ...(plan.calls ? [self.client] : []),
    ];
    let runs = 0;
    /** @param {any} scope @param {any[]} given @param {string} late */
    const run = ({ util, getBankIndex }, given, late) => {
      runs += 1;
      const time = util.getElapsedLogicalTime();
      const bank = getBankIndex();
      const values = readParts.map((part, i) => `${part.join('')}=${read(given[i])}`);
      tell(
        `${time} ${util.getCurrentTag().microstep} ${name}#${bank} ${index}${late} ${values.join(' ')}`,
      );
      if (runs > mostRuns) return;
      const random = makeRandom(`${plan.seed}/${runs}/${bank}`);
      const value = () => (plan.sendsLists ? [random.below(100)] : random.below(1000));
      readParts.forEach((_, i) => {
        const got = plan.changesLists && given[i].values === undefined ? given[i].get() : null;
        if (Array.isArray(got)) got.push(index);
      });
      plan.writes.forEach((part, i) => {
        const to = given[readParts.length + i];
        if (!random.chance(plan.rate)) return;
        if (part[0] === 'action') to.schedule(random.chance(0.5) ? 0 : us(plan.delayUs), value());
        else if (to.width === undefined) to.set(value());
        else
          for (let channel = 0; channel < to.width(); channel += 1)
            if (random.chance(0.7)) to.set(channel, value());
      });
      if (plan.calls) tell(`${name} got ${given.at(-1).invoke(random.below(50))}`);
      if (runs === 3 && plan.end === 'stop') util.requestStop();
      if (runs === 3 && plan.end === 'fail') util.requestErrorStop('as planned');
    };
    /** @param {string} late @returns {(this: any, ...given: any[]) => void} */
    const body = late =>
      function react(...given) {
        run(this, given, late);
      };
    const triggers = plan.triggers.map(part => this.trigger(part));
    if (plan.hasDeadline)
      self.addReaction(triggers, args, body(''), R.TimeValue.sec(longSec), body(' late'));
    else self.addReaction(triggers, args, body(''));
  }
}

/**
 * @param {any} R  the module of reactor-ts
 * @param {ReactorPlan[]} kinds
 * @param {(line: string) => void} tell
 */
const makeContext = (R, kinds, tell) => {
  /** @type {Context} */
  const context = { R, Delay: makeDelay(R), classes: [], tell, us: R.TimeValue.usec };
  for (const plan of kinds)
    context.classes.push(
      class extends R.Reactor {
        /** @param {any} parent @param {string} name */
        constructor(parent, name) {
          super(parent);
          new Builder(context, this, plan, name);
        }
      },
    );
  return context;
};

/**
 * @param {any} R  the module of reactor-ts
 * @param {number} seed
 * @returns {Promise<string[]>} what happened, a line each; the last one tells how it ended
 */
export const runProgram = (R, seed) =>
  new Promise(settle => {
    const { kinds, main, timeoutUs } = planProgram(seed);
    /** @type {string[]} */
    const lines = [];
    const tell = (/** @type {string} */ line) => {
      if (lines.length < mostLines) lines.push(line);
    };
    const end = (/** @type {string} */ how) => settle([...lines, how]);
    const context = makeContext(R, kinds, tell);
    class Main extends R.App {
      constructor() {
        const timeout = timeoutUs === null ? undefined : R.TimeValue.usec(timeoutUs);
        super(
          timeout,
          false,
          true,
          () => end('success'),
          () => end('failure'),
        );
        new Builder(context, this, kinds[main], 'main');
      }
    }
    try {
      new Main()._start();
    } catch (error) {
      // A cycle of ports makes the stack of reactor-ts too deep.
      const isCycle = /^(Cycle in reaction graph|Maximum call stack)/.test(
        /** @type {Error} */ (error).message,
      );
      end(isCycle ? 'cycle' : String(error));
    }
  });
