// The kernel's knowledge of one vat's reactors: two rows, and the entry that holds both.

import { Row } from '../tables/journal.js';
import { EventList } from '../tables/event-list.js';
import { makeReaction } from '../tables/queue-item.js';

/** @import { ReactorShape } from '#model' */
/** @import { QuietRun } from './quiet-run.js' */

/**
 * Where an output channel leads.
 *
 * @typedef {object} PortTarget
 * @property {string} vatId
 * @property {number} channel
 * @property {number} delayNs  0 is the next microstep; -1 for the same tag
 * @property {boolean} isPhysical  it arrives when physical time says, and `delayNs` later
 */

/** @param {ReactorShape['inputs']} ports */
const countChannels = ports => ports.reduce((sum, [, width]) => sum + width, 0);

export class ReactorRow extends Row {
  /** How many crossings between vats lead to each input channel; empty when none do. @type {readonly number[]} */
  stages = [];

  /** The targets of each output channel. @type {readonly (readonly PortTarget[])[]} */
  targets = [];

  /** Whether the vat's code has been given a device, so that a reaction may call it. */
  canCallDevice = false;

  /** The number of the program: vats that are connected, however far, have the same. */
  program = 0;

  #outputs = -1;

  #latestNs = 0;

  /** The targets that it was found from. @type {ReactorRow['targets'] | undefined} */
  #latestOf;

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

  /**
   * Until when what it writes is sure to come before the end of time; -1 where the physical clock says when it comes.
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

export class AgendaRow extends Row {
  /** When the vat wants to run by itself; -1 for never. */
  ownTimeNs = -1;

  ownMicrostep = 0;

  ownStage = 0;

  /** The last tag of its program; -1 for none so far. */
  stopTimeNs = -1;

  stopMicrostep = 0;

  /** The vat has been told that this is its last tag. */
  isStopping = false;

  /** The vat has been told its stages, or has none. */
  knowsStages = true;

  /** @type {QuietRun | null} */
  quiet = null;

  /** Under way to it; changed by the keeper alone. */
  #values = new EventList();

  get values() {
    return this.#values;
  }

  /** @returns {import('../tables/journal.js').Note} */
  save() {
    return new AgendaNote(this);
  }
}

/** By hand, since a row changes in every crank of its vat. */
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
 * A vat's two rows side by side, found once: nearly all that happens to its reactors needs both.
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
    /** Its place in the queue. */
    this.item = makeReaction(vatId);
    /** Noted already as one whose next tag may be another. */
    this.isMoved = false;
    /** @type {ReactorRow['targets'] | undefined} those that `links` was made from */
    this.linked = undefined;
    /** @type {readonly (readonly PortLink[])[]} */
    this.links = [];
  }

  /** Whether the vat has not ended. */
  get isThere() {
    return this.row.cell?.value === this.row;
  }
}

/** A target of an output channel with what it leads to. @typedef {PortTarget & { entry: ReactorEntry }} PortLink */
