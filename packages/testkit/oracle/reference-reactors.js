// The reactors of vats, for the reference kernel: ports, connections, values under way, and when each vat runs next.
// Written from docs/design/reactors-in-vats.md: nothing is indexed, and what follows from the tables is found
// anew each time it is needed.

import { byNumber, isDevice, isRunning, must, vatOf } from './world.js';

/** @import { CapData, Delivery, Tag } from '#model' */
/** @import { Item, ReactorShape, Reactors, Value, World } from './world.js' */

/** @typedef {{ timeNs: number, microstep: number, stage: number }} StagedTag */

/** @param {Tag} left @param {Tag} right */
export const compareTags = (left, right) =>
  Math.sign(left.timeNs - right.timeNs) || Math.sign(left.microstep - right.microstep);

/** @param {StagedTag} left @param {StagedTag} right */
export const compareStaged = (left, right) =>
  compareTags(left, right) || Math.sign(left.stage - right.stage);

/** @param {World} w @param {string} vatId @returns {Reactors} */
export const reactorsOf = (w, vatId) => must(w.reactors.get(vatId));

/** @param {[name: string, width: number][]} ports */
export const widthOf = ports =>
  ports.map(([, width]) => width).reduce((sum, next) => sum + next, 0);

/** The last stage at which a vat's reactors may run. @param {Reactors | undefined} reactors */
export const lastStageOf = reactors => Math.max(0, ...(reactors?.stages ?? []));

/** @param {World} w @param {string} vatId @param {ReactorShape} shape */
export const addReactors = (w, vatId, shape) => {
  const { inputs, outputs, actions, dependencies, mayRequestStop, hasRoot } = shape;
  w.reactors.set(vatId, {
    shape: structuredClone({ inputs, outputs, actions, dependencies, mayRequestStop, hasRoot }),
    links: [],
    stages: [],
    program: vatId,
    own: undefined,
    stop: undefined,
    isStopping: false,
    knowsStages: true,
    callsDevices: false,
    values: [],
    quiet: undefined,
  });
};

/** When a vat runs next. @param {Reactors} reactors @returns {StagedTag | undefined} */
const nextRun = ({ own, values, stop, isStopping }) => {
  const wanted = [...(own ? [own] : []), ...values].sort(compareStaged);
  const [first] = wanted;
  if (stop !== undefined && !isStopping && (first === undefined || compareTags(first, stop) >= 0))
    return { ...stop, stage: 0 };
  if (first === undefined) return undefined;
  // Nothing runs after the last tag.
  if (stop !== undefined && compareTags(first, stop) > 0) return undefined;
  const { timeNs, microstep, stage } = first;
  return { timeNs, microstep, stage };
};

/** All reactions that are to run, in their order. @param {World} w @returns {Item[]} */
export const reactionsOf = w => {
  /** @type {Item[]} */
  const found = [];
  for (const [vatId, reactors] of w.reactors) {
    const next = nextRun(reactors);
    if (next === undefined) continue;
    const fields = { seq: 0, kind: 'react', vatId, target: '', message: null, class: 2 };
    found.push({ ...fields, ...next });
  }
  return found.sort(
    (left, right) =>
      compareStaged(/** @type {StagedTag} */ (left), /** @type {StagedTag} */ (right)) ||
      byNumber(left.vatId, right.vatId),
  );
};

/** The next item of the run. @param {World} w @returns {Item | undefined} */
export const firstItem = w => {
  const [item] = w.queue;
  const [reaction] = reactionsOf(w);
  if (item === undefined || reaction === undefined) return item ?? reaction;
  return compareTags(item, reaction) <= 0 ? item : reaction;
};

/** The values and marks that a reaction gives its vat. @param {World} w @param {Item} item */
export const givenTo = (w, { vatId, timeNs, microstep, stage = 0 }) => {
  const { values, stop, isStopping, knowsStages, stages } = reactorsOf(w, vatId);
  const tag = { timeNs, microstep };
  return {
    values: values.filter(value => compareTags(value, tag) === 0 && value.stage <= stage),
    isLast: stop !== undefined && !isStopping && compareTags(stop, tag) === 0,
    stages: knowsStages ? [] : stages,
  };
};

/**
 * How far a vat may run by itself: nothing comes to it before the next item of another vat, the next value, or the end of
 * its program.
 *
 * @param {World} w  without the vat's own reaction
 * @param {Item} item
 * @param {number} room  cranks
 * @param {number} untilNs
 */
export const grantOf = (w, { vatId }, room, untilNs) => {
  const { callsDevices, values, stop, isStopping } = reactorsOf(w, vatId);
  if (callsDevices) return undefined;
  const others = reactionsOf(w).filter(other => other.vatId !== vatId);
  const [end] = [
    { timeNs: untilNs + 1, microstep: 0 },
    ...w.queue,
    ...others,
    ...values,
    ...(stop && !isStopping ? [stop] : []),
  ].sort(compareTags);
  return { timeNs: end.timeNs, microstep: end.microstep, cranks: room };
};

/** Add a value, at the first microstep at which its channel is free. @param {World} w @param {string} to @param {Value} value */
export const addValue = (w, to, value) => {
  const { values, stop } = reactorsOf(w, to);
  const at = { ...value };
  while (values.some(other => other.channel === at.channel && compareTags(other, at) === 0))
    at.microstep += 1;
  if (stop !== undefined && compareTags(at, stop) > 0) return;
  values.push(at);
  values.sort((left, right) => compareTags(left, right) || left.channel - right.channel);
};

/** Called for a physical time that a connection reads, and for a value after the end of time. @typedef {{ read: (data: string) => void, endsTime: () => void }} Linked */

/**
 * @param {World} w
 * @param {string} vatId
 * @param {number} channel
 * @param {CapData} data  in krefs
 * @param {Linked} link
 */
export const writePort = (w, vatId, channel, data, link) => {
  for (const { to, channel: input, afterNs, isPhysical } of reactorsOf(w, vatId).links[channel] ??
    []) {
    if (!isRunning(w, to)) continue;
    const at = { timeNs: w.timeNs, microstep: w.microstep, stage: 0, channel: input, data };
    if (isPhysical) {
      const nowNs = physicalNs(vatId, w.timeNs, w.microstep);
      link.read(String(nowNs));
      const timeNs = nowNs + (afterNs > 0 ? afterNs : 0);
      if (timeNs > w.timeNs) Object.assign(at, { timeNs, microstep: 0 });
      else at.microstep += 1;
    } else if (afterNs === 0) {
      at.microstep += 1;
    } else if (afterNs > 0) {
      Object.assign(at, { timeNs: w.timeNs + afterNs, microstep: 0 });
    } else {
      at.stage = reactorsOf(w, to).stages[input];
    }
    if (at.timeNs > Number.MAX_SAFE_INTEGER) {
      link.endsTime();
      return;
    }
    addValue(w, to, at);
  }
};

/** The clock of the fuzzer's runs: it runs at another speed than logical time. @param {string} vatId @param {number} timeNs @param {number} microstep */
export const physicalNs = (vatId, timeNs, microstep) =>
  Math.min(
    Number.MAX_SAFE_INTEGER,
    timeNs + ((timeNs + microstep * 7 + vatId.length) % 5) * 400 - 600,
  );

/** @param {string} _vatId @param {number} timeNs @param {number} deadlineNs */
export const missesDeadline = (_vatId, timeNs, deadlineNs) => timeNs % 3 > deadlineNs % 2;

/** End a program at the next microstep. @param {World} w @param {string} program */
export const stopProgram = (w, program) => {
  const stop = { timeNs: w.timeNs, microstep: w.microstep + 1 };
  for (const reactors of w.reactors.values()) {
    if (reactors.program !== program || reactors.isStopping) continue;
    if (reactors.stop !== undefined && compareTags(reactors.stop, stop) <= 0) continue;
    reactors.stop = { ...stop };
    reactors.values = reactors.values.filter(value => compareTags(value, stop) <= 0);
  }
};

/** Note that a delivery gives a vat's code a device. @param {World} w @param {string} vatId @param {Delivery} delivery  in krefs */
export const noteDevices = (w, vatId, delivery) => {
  const reactors = w.reactors.get(vatId);
  if (reactors === undefined) return;
  const [kind, first, second] = delivery;
  const root = vatOf(w, vatId).list?.pairs.get('o+0')?.kref;
  // A message to the root of a vat without a root object reaches no code.
  if (kind === 'message' && !reactors.shape.hasRoot && first === root) return;
  /** @type {CapData[]} */
  let given = [];
  if (kind === 'startVat') given = [first];
  if (kind === 'message') given = [second];
  if (kind === 'notify') given = first.map(([, , data]) => data);
  if (kind === 'react') given = first.map(([, data]) => data);
  if (given.some(({ slots }) => slots.some(isDevice))) reactors.callsDevices = true;
};

/**
 * A connection in the plan of a program: channels by their numbers.
 *
 * @typedef {{ from: string, output: number, to: string, input: number, afterNs: number, isPhysical: boolean }} Connection
 */

/**
 * The number of crossings between vats before an input, without a delay; undefined in a cycle.
 *
 * @param {Pick<World, 'reactors'>} w
 * @param {readonly Connection[]} connections
 * @param {string} vatId
 * @param {number} input
 * @param {readonly string[]} [passed]
 * @returns {number | undefined}
 */
export const stageOf = (w, connections, vatId, input, passed = []) => {
  const place = `${vatId} ${input}`;
  if (passed.includes(place)) return undefined;
  const source = connections.find(
    ({ to, input: at, afterNs, isPhysical }) =>
      to === vatId && at === input && afterNs < 0 && !isPhysical,
  );
  if (source === undefined) return 0;
  const before = must(w.reactors.get(source.from)).shape.dependencies[source.output].map(each =>
    stageOf(w, connections, source.from, each, [...passed, place]),
  );
  return before.includes(undefined)
    ? undefined
    : 1 + Math.max(0, .../** @type {number[]} */ (before));
};

/** The connections of a config, and the end of its programs; -1: none. @typedef {{ connections: Connection[], timeoutNs: number }} Plan */

/** Connect the vats of the config, when the last of them has started. @param {World} w */
export const connect = w => {
  const { plan } = w;
  if (plan === undefined) return;
  w.plan = undefined;
  if (plan.timeoutNs >= 0 && w.reactors.size === 0) throw Error('a connected vat did not start');
  if (plan.timeoutNs >= 0)
    for (const reactors of w.reactors.values()) {
      const stop = { timeNs: plan.timeoutNs, microstep: 0 };
      reactors.stop = stop;
      reactors.values = reactors.values.filter(value => compareTags(value, stop) <= 0);
    }
  if (plan.connections.length === 0) return;
  for (const { from, to } of plan.connections)
    if (!w.reactors.has(from) || !w.reactors.has(to)) throw Error('a connected vat did not start');
  for (const [vatId, reactors] of w.reactors) {
    const { inputs, outputs } = reactors.shape;
    reactors.links = Array.from({ length: widthOf(outputs) }, (_, output) =>
      plan.connections
        .filter(each => each.from === vatId && each.output === output)
        .map(({ to, input, afterNs, isPhysical }) => ({ to, channel: input, afterNs, isPhysical })),
    );
    const stages = Array.from({ length: widthOf(inputs) }, (_, input) =>
      must(stageOf(w, plan.connections, vatId, input)),
    );
    reactors.stages = stages.some(stage => stage > 0) ? stages : [];
    reactors.knowsStages = reactors.stages.length === 0;
  }
  // All vats that connections join have the number of the first of them.
  for (let isDone = false; !isDone;) {
    isDone = true;
    for (const { from, to } of plan.connections) {
      const both = [reactorsOf(w, from), reactorsOf(w, to)];
      const [program] = both.map(each => each.program).sort(byNumber);
      for (const each of both) {
        if (each.program !== program) isDone = false;
        each.program = program;
      }
    }
  }
};

/** Describe the tables of reactors, as `describeKernel` does. @param {World} w */
export const describeReactors = w =>
  [...w.reactors]
    .sort(([left], [right]) => byNumber(left, right))
    .map(([vatId, { own, stop, quiet, values, links, ...fields }]) => ({
      vatId,
      ...fields,
      own: own ?? null,
      stop: stop ?? null,
      quiet: quiet ?? null,
      links: links.map(each => each.map(link => ({ ...link }))),
      values: values.map(value => ({ ...value })),
    }));
