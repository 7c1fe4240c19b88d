// The rows of one vat's reactors: what is fixed, what changes, and the entry that holds both.

import { forms } from '#model';
import { Row } from '../tables/journal.js';
import { EventList } from '../tables/event-list.js';
import { makeReaction } from '../tables/queue-item.js';
import { isShape } from './check-report.js';

/** @import { ReactorShape } from '#model' */
/** @import { Form } from '#model' */
/** @import { QuietRun } from './quiet-run.js' */

const { count, flag, listOf, orNone, recordOf, text, whole } = forms;

/**
 * A target of an output channel.
 *
 * @typedef {object} PortTarget
 * @property {string} vatId
 * @property {number} channel
 * @property {number} delayNs  0 is the next microstep; -1 for the same tag
 * @property {boolean} isPhysical  it arrives at the physical time of the write, plus `delayNs`
 */

/** @param {ReactorShape['inputs']} ports */
const countChannels = ports => ports.reduce((sum, [, width]) => sum + width, 0);

/** A copy of only the fields of ports: the vat may keep its own object. @param {ReactorShape} shape @returns {ReactorShape} */
export const copyShape = ({ inputs, outputs, actions, dependencies, mayRequestStop, hasRoot }) => ({
  inputs: inputs.map(([name, width]) => [name, width]),
  outputs: outputs.map(([name, width]) => [name, width]),
  actions: [...actions],
  dependencies: dependencies.map(channels => [...channels]),
  ...{ mayRequestStop, hasRoot },
});

export class ReactorRow extends Row {
  /**
   * The number of crossings between vats before each input channel; empty if there are none.
   *
   * @type {readonly number[]}
   */
  stages = [];

  /** The targets of each output channel. @type {readonly (readonly PortTarget[])[]} */
  targets = [];

  /** Whether the vat's code has been given a device, so that a reaction may call it. */
  canCallDevice = false;

  /** The number of the program: all vats that are connected, even indirectly, have the same. */
  program = 0;

  #outputs = -1;

  #latestNs = 0;

  /** The targets from which `latestNs` was computed. @type {ReactorRow['targets'] | undefined} */
  #latestOf;

  #lastStage = 0;

  /** The stages from which `lastStage` was computed. @type {readonly number[] | undefined} */
  #lastStageOf;

  /** @param {ReactorShape} shape */
  constructor(shape) {
    super();
    this.shape = shape;
  }

  /** Channels of its inputs. */
  get inputs() {
    return countChannels(this.shape.inputs);
  }

  /** Channels of its outputs. */
  get outputs() {
    if (this.#outputs < 0) this.#outputs = countChannels(this.shape.outputs);
    return this.#outputs;
  }

  /** The last stage at which its reactors may run. */
  get lastStage() {
    if (this.#lastStageOf !== this.stages) {
      this.#lastStageOf = this.stages;
      this.#lastStage = this.stages.reduce((most, stage) => Math.max(most, stage), 0);
    }
    return this.#lastStage;
  }

  /**
   * The latest time at which a written value still arrives before the end of time; -1 with physical connections.
   */
  get latestNs() {
    if (this.#latestOf !== this.targets) {
      this.#latestOf = this.targets;
      this.#latestNs = findLatest(this.targets);
    }
    return this.#latestNs;
  }

  /** @returns {import('../tables/journal.js').Note} */
  save() {
    const { stages, targets, program, canCallDevice } = this;
    return { undo: () => void Object.assign(this, { stages, targets, program, canCallDevice }) };
  }
}

/** @param {ReactorRow['targets']} targets */
const findLatest = targets => {
  let latestNs = Number.MAX_SAFE_INTEGER;
  for (const each of targets)
    for (const { delayNs, isPhysical } of each)
      latestNs = Math.min(latestNs, isPhysical ? -1 : Number.MAX_SAFE_INTEGER - delayNs);
  return latestNs;
};

/** @type {Form} */
const target = recordOf({ vatId: text, channel: count, delayNs: whole, isPhysical: flag });

export const reactorFields = Object.freeze({
  shape: /** @type {Form} */ (['ports, actions and dependencies', isShape]),
  stages: listOf(count),
  targets: listOf(listOf(target)),
  canCallDevice: flag,
  program: count,
});

export const agendaFields = Object.freeze({
  ownTimeNs: whole,
  ownMicrostep: count,
  ownStage: count,
  stopTimeNs: whole,
  stopMicrostep: count,
  isStopping: flag,
  knowsStages: flag,
  quiet: orNone(
    recordOf({
      ...{ firstTimeNs: count, firstMicrostep: count },
      ...{ endTimeNs: count, endMicrostep: count, endStage: count, cranks: count },
    }),
  ),
});

export class AgendaRow extends Row {
  /** When the vat wants to run by itself; -1 for never. */
  ownTimeNs = -1;

  ownMicrostep = 0;

  ownStage = 0;

  /** The last tag of its program; -1 for none so far. */
  stopTimeNs = -1;

  stopMicrostep = 0;

  /** Whether the vat was told that this is its last tag. */
  isStopping = false;

  /** Whether the vat was told its stages, or has none. */
  knowsStages = true;

  /** @type {QuietRun | null} */
  quiet = null;

  /** Values under way to it; only the keeper changes the list. */
  #values = new EventList();

  get values() {
    return this.#values;
  }

  /** @returns {import('../tables/journal.js').Note} */
  save() {
    return new AgendaNote(this);
  }
}

/** Written by hand for speed, since a row changes in every crank of its vat. */
class AgendaNote {
  /** @param {AgendaRow} row */
  constructor(row) {
    this.row = row;
    this.ownTimeNs = row.ownTimeNs;
    this.ownMicrostep = row.ownMicrostep;
    this.ownStage = row.ownStage;
    this.stopTimeNs = row.stopTimeNs;
    this.stopMicrostep = row.stopMicrostep;
    this.isStopping = row.isStopping;
    this.knowsStages = row.knowsStages;
    this.quiet = row.quiet;
  }

  undo() {
    const { row } = this;
    row.ownTimeNs = this.ownTimeNs;
    row.ownMicrostep = this.ownMicrostep;
    row.ownStage = this.ownStage;
    row.stopTimeNs = this.stopTimeNs;
    row.stopMicrostep = this.stopMicrostep;
    row.isStopping = this.isStopping;
    row.knowsStages = this.knowsStages;
    row.quiet = this.quiet;
  }
}

/**
 * A vat's two rows, found by one look-up, since nearly every access needs both.
 */
export class ReactorEntry {
  /**
   * @param {string} vatId
   * @param {ReactorRow} row
   * @param {AgendaRow} agenda
   */
  constructor(vatId, row, agenda) {
    this.vatId = vatId;
    this.row = row;
    this.agenda = agenda;
    /** The vat's reused item in the queue. */
    this.item = makeReaction(vatId);
    /** Whether it is in the list of entries whose next tag may have changed. */
    this.isMoved = false;
    /**
     * Whether the vat's reactions have reached other vats by ports only, or by a stop request that its root reactor
     * declares, as far as this process has seen.
     */
    this.isClosed = true;
    /** @type {ReactorRow['targets'] | undefined} the targets from which `links` was made */
    this.linked = undefined;
    /** @type {readonly (readonly PortLink[])[]} */
    this.links = [];
  }

  /** Whether the vat runs. */
  get isThere() {
    return this.row.cell?.value === this.row;
  }
}

/** A target of an output channel with the entry of its vat. @typedef {PortTarget & { entry: ReactorEntry }} PortLink */
