// The kernel's table of the vats' reactors: their ports and connections, when each vat runs next, and the values under
// way to it.
//
//   reactor.v3   shape, stages and connections; fixed when the vats of the config have started
//   agenda.v3    what changes: the vat's next tag, the end of its program, and the run of quiet cranks that is not in the
//                transcript yet, since it may still grow
//   value.v3.…   a value under way to it

import { compareIds, Fail, numberOfId } from '#model';
import { rowsAsJson, Table } from '../tables/journal.js';
import { parseEvent } from '../tables/event-list.js';
import { readRow } from '../tables/row-fields.js';
import { parsePlan } from './wiring-plan.js';
import {
  agendaFields,
  AgendaRow,
  ReactorEntry,
  reactorFields,
  ReactorRow,
} from './reactor-rows.js';

/** @import { ReactorShape, Tag } from '#model' */
/** @import { EventList, PortEvent } from '../tables/event-list.js' */
/** @import { Journal } from '../tables/journal.js' */
/** @import { PortLink } from './reactor-rows.js' */
/** @import { VatParts } from '../tables/vats.js' */
/** @import { Batch, KernelStore } from '../store-interface.js' */

/** Undoes that a value was added or removed. */
class EventNote {
  /**
   * @param {ReactorKeeper} keeper
   * @param {EventList} list
   * @param {PortEvent} event
   */
  constructor(keeper, list, event) {
    this.keeper = keeper;
    this.list = list;
    this.event = event;
  }

  undo() {
    this.keeper.turn(this.list, this.event);
  }
}

// eslint-disable-next-line house/max-class-lines -- one table: rows, agendas, and what of them has changed, which is private
export class ReactorKeeper {
  /** @type {ReactorEntry[]} vats whose next tag may have changed in this crank */
  #moved = [];

  /** @type {Map<string, ReactorEntry>} by vat: those with reactors, and those that ended in this crank */
  #entries = new Map();

  #journal;

  /** How often something happened that no item in the queue announces: `crank/later-reactions.js` says what. */
  unforeseen = 0;

  /** Whether reactions may begin ahead of earlier tags. */
  mayBeginLater = true;

  /** Changes with the vats and their connections. */
  version = 0;

  /** @type {Map<number, Set<ReactorEntry>> | undefined} entries by program; made on first use */
  #programs = undefined;

  /** @type {PortEvent[]} changed since the last commit */
  #changed = [];

  /** @type {PortEvent | undefined} the last changed value, which is not in the list yet */
  #lastChanged;

  /** @param {Journal} journal */
  constructor(journal) {
    this.#journal = journal;
    /** @type {Table<ReactorRow>} */
    this.rows = new Table(
      journal,
      rowsAsJson('reactor.', reactorFields, fields =>
        Object.assign(new ReactorRow(fields.shape), fields),
      ),
    );
    /** @type {Table<AgendaRow>} */
    this.agendas = new Table(
      journal,
      rowsAsJson('agenda.', agendaFields, fields => Object.assign(new AgendaRow(), fields)),
    );
    /** @type {Table<string>} connections and timeout of the config, until they are made */
    this.plans = new Table(journal, {
      prefix: 'plan.',
      format: text => text,
      parse: text => {
        parsePlan(text);
        return text;
      },
    });
  }

  /** Whether any vat has reactors. */
  get hasAny() {
    return this.rows.size > 0;
  }

  /**
   * @param {string} vatId
   * @returns {ReactorEntry | undefined} undefined if the vat has no reactors or has ended
   */
  find(vatId) {
    const entry = this.#entries.get(vatId);
    return entry !== undefined && entry.isThere ? entry : undefined;
  }

  /** @param {string} vatId */
  require(vatId) {
    return this.find(vatId) ?? Fail`vat ${vatId} has no reactors`;
  }

  /**
   * `find` for a caller that has the vat's parts, without a look-up.
   *
   * @param {VatParts} parts
   * @returns {ReactorEntry | undefined}
   */
  findOf(parts) {
    const known = parts.reactors;
    if (known !== undefined && known.isThere) return known;
    const found = this.find(parts.id);
    parts.reactors = found;
    return found;
  }

  /** @param {VatParts} parts */
  requireOf(parts) {
    return this.findOf(parts) ?? Fail`vat ${parts.id} has no reactors`;
  }

  /**
   * The targets of a vat's outputs.
   *
   * @param {ReactorEntry} entry
   * @returns {readonly (readonly PortLink[])[]} by output channel; some targets' vats may have ended
   */
  linksOf(entry) {
    const { targets } = entry.row;
    if (entry.linked !== targets) {
      entry.linked = targets;
      entry.links = targets.map(known =>
        known.flatMap(target => {
          const to = this.#entries.get(target.vatId);
          return to === undefined ? [] : [{ ...target, entry: to }];
        }),
      );
    }
    return entry.links;
  }

  /**
   * Adds the rows of a vat with reactors that has started.
   *
   * @param {string} vatId
   * @param {ReactorShape} shape
   */
  add(vatId, shape) {
    const row = new ReactorRow(shape);
    row.program = numberOfId(vatId);
    const agenda = new AgendaRow();
    this.rows.set(vatId, row);
    this.agendas.set(vatId, agenda);
    this.#enter(new ReactorEntry(vatId, row, agenda));
  }

  /** @param {ReactorEntry} entry */
  #enter(entry) {
    this.#entries.set(entry.vatId, entry);
    this.version += 1;
    if (this.#programs !== undefined) addToProgram(this.#programs, entry);
    this.#move(entry);
  }

  /** Called when vats were joined to programs, or that was undone. */
  regroup() {
    this.version += 1;
    this.#programs = undefined;
  }

  /** @param {number} program @returns {ReactorEntry[]} vats that run, by their numbers */
  vatsOf(program) {
    if (this.#programs === undefined) {
      this.#programs = new Map();
      for (const entry of this.#entries.values()) addToProgram(this.#programs, entry);
    }
    return [...(this.#programs.get(program) ?? [])]
      .filter(({ isThere }) => isThere)
      .sort((left, right) => compareIds(left.vatId, right.vatId));
  }

  /** All vats with reactors, and those that ended in this crank. @returns {ReactorEntry[]} */
  all() {
    return [...this.#entries.values()];
  }

  /** @param {ReactorEntry} entry */
  #move(entry) {
    if (entry.isMoved) return;
    entry.isMoved = true;
    this.#moved.push(entry);
  }

  /**
   * Returns the agenda of a vat for changing it.
   *
   * @param {ReactorEntry} entry
   */
  change(entry) {
    const { agenda } = entry;
    this.agendas.touch(agenda);
    this.#move(entry);
    return agenda;
  }

  /**
   * Forget a vat that has ended.
   *
   * @param {string} vatId
   * @returns {readonly PortEvent[]} values that were under way to it
   */
  remove(vatId) {
    const entry = this.find(vatId);
    if (entry === undefined) return [];
    this.rows.delete(vatId);
    this.agendas.delete(vatId);
    const values = [...entry.agenda.values];
    this.takeValues(entry, values);
    return values;
  }

  /** Forgets a vat whose end is committed. @param {string} vatId */
  forget(vatId) {
    const entry = this.#entries.get(vatId);
    if (entry === undefined) return;
    this.#entries.delete(vatId);
    this.version += 1;
    const program = this.#programs?.get(entry.row.program);
    program?.delete(entry);
    if (program?.size === 0) this.#programs?.delete(entry.row.program);
  }

  /**
   * Adds a value under way to a vat.
   *
   * @param {ReactorEntry} entry
   * @param {PortEvent} event
   */
  addValue(entry, event) {
    this.#turn(entry, event);
    this.#move(entry);
  }

  /**
   * Removes values from those under way.
   *
   * @param {ReactorEntry} entry
   * @param {readonly PortEvent[]} taken
   */
  takeValues(entry, taken) {
    for (let i = 0; i < taken.length; i += 1) this.#turn(entry, taken[i]);
    this.#move(entry);
  }

  /**
   * @param {ReactorEntry} entry
   * @param {PortEvent} event
   */
  #turn({ agenda: { values } }, event) {
    if (!this.#journal.isCertain) this.#journal.note(new EventNote(this, values, event));
    this.turn(values, event);
  }

  /**
   * Adds or removes a value under way. For the journal, so it makes no note.
   *
   * @param {EventList} list
   * @param {PortEvent} event
   */
  turn(list, event) {
    if (event.isThere) list.remove(event);
    else list.insert(event);
    event.isThere = !event.isThere;
    if (!event.isDirty) {
      event.isDirty = true;
      if (this.#lastChanged !== undefined) this.#changed.push(this.#lastChanged);
      this.#lastChanged = event;
    } else if (this.#lastChanged === event && !event.isThere && !event.isStored) {
      // Most values come and go within a block, one after the other: the block need not write them.
      event.isDirty = false;
      this.#lastChanged = undefined;
    }
  }

  /**
   * Vats whose next tag may have changed since the last call.
   *
   * @returns {readonly ReactorEntry[]}
   */
  takeMoved() {
    const moved = this.#moved;
    if (moved.length === 0) return moved;
    this.#moved = [];
    for (let i = 0; i < moved.length; i += 1) moved[i].isMoved = false;
    return moved;
  }

  /** @returns {Generator<PortEvent>} everything that is under way */
  *underWay() {
    for (const [, { values }] of this.agendas.entries()) yield* values;
  }

  /** @param {Batch['puts']} puts */
  collect(puts) {
    this.rows.collect(puts);
    this.agendas.collect(puts);
    this.plans.collect(puts);
    if (this.#lastChanged === undefined && this.#changed.length === 0) return;
    const changed = this.#changed;
    if (this.#lastChanged !== undefined) changed.push(this.#lastChanged);
    // A value may have been replaced by one of the same tag and channel, which stands behind it: its put wins.
    for (let i = 0; i < changed.length; i += 1) {
      const event = changed[i];
      event.isDirty = false;
      if (event.isThere) puts.set(event.key, event.text);
      else if (event.isStored) puts.set(event.key, undefined);
      event.isStored = event.isThere;
    }
    this.#changed = [];
    this.#lastChanged = undefined;
  }

  /** The values that are under way, as a commit would write them. @returns {Generator<[key: string, text: string]>} */
  *writtenValues() {
    for (const event of this.underWay()) yield [event.key, event.text];
  }

  /** @param {KernelStore} store */
  load(store) {
    this.rows.load(store);
    this.agendas.load(store);
    this.plans.load(store);
    for (const [vatId, agenda] of this.agendas.entries()) {
      const row = this.rows.get(vatId) ?? Fail`vat ${vatId} has an agenda and no reactors`;
      this.#enter(new ReactorEntry(vatId, row, agenda));
    }
    for (const [key, text] of store.entries('value.')) {
      const event = readRow(key, () => parseEvent(key, text));
      event.isThere = true;
      event.isStored = true;
      this.require(event.vatId).agenda.values.insert(event);
    }
  }
}

/** @param {Map<number, Set<ReactorEntry>>} programs @param {ReactorEntry} entry */
const addToProgram = (programs, entry) => {
  const { program } = entry.row;
  const known = programs.get(program);
  if (known === undefined) programs.set(program, new Set([entry]));
  else known.add(entry);
};

/**
 * The values that a vat gets at a tag, up to a stage.
 *
 * @param {AgendaRow} agenda
 * @param {Tag & { stage: number }} when
 * @returns {readonly PortEvent[]} in the order of channels
 */
export const valuesAt = ({ values }, { timeNs, microstep, stage }) => {
  const { length } = values;
  /** @type {PortEvent[] | undefined} */
  let found;
  for (let i = 0; i < length; i += 1) {
    const event = values.at(i);
    if (event.timeNs !== timeNs || event.microstep !== microstep) break;
    if (event.stage > stage) continue;
    // Nearly always there is only one value.
    if (found === undefined) found = [event];
    else found.push(event);
  }
  return found ?? none;
};

/**
 * When a vat runs next, and at which stage: by itself, for a value that comes to it, or because its program ends.
 *
 * @param {AgendaRow} agenda
 * @param {NextRun} next  filled in
 * @returns {boolean} whether it runs again
 */
export const findNext = (agenda, next) => {
  let { ownTimeNs: timeNs, ownMicrostep: microstep, ownStage: stage } = agenda;
  if (timeNs < 0) timeNs = Infinity;
  const { first } = agenda.values;
  if (first !== undefined) {
    const later = first.timeNs - timeNs || first.microstep - microstep;
    if (later <= 0) {
      const { leastStage } = agenda.values;
      ({ timeNs, microstep } = first);
      stage = later < 0 ? leastStage : Math.min(stage, leastStage);
    }
  }
  if (agenda.stopTimeNs >= 0) {
    const beyond = timeNs - agenda.stopTimeNs || microstep - agenda.stopMicrostep;
    if (agenda.isStopping) {
      // Nothing runs after the last tag.
      if (beyond > 0) return false;
    } else if (beyond >= 0) {
      // Its last tag has not begun; reactions to shutdown depend on no input.
      stage = 0;
      timeNs = agenda.stopTimeNs;
      microstep = agenda.stopMicrostep;
    }
  }
  if (timeNs === Infinity) return false;
  next.timeNs = timeNs;
  next.microstep = microstep;
  next.stage = stage;
  return true;
};

/** @typedef {{ timeNs: number, microstep: number, stage: number }} NextRun */

/** @type {readonly PortEvent[]} */
const none = Object.freeze([]);
