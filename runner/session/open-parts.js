// Opens the parts of a session that its simulation needs: config, meters, state.

import { UserError } from '#model';
import * as host from '#host/session.js';
import { demosDir } from '../demos-dir.js';
import { chooseGroups, chooseStart } from './settings.js';

/** @import { Flags } from '../cli.js' */
/** @import { Places } from './settings.js' */
/** @import { Screen } from './screen.js' */

/** @param {Flags} flags */
export const vatArguments = flags => flags['--']?.map(String);

/**
 * @param {Flags} flags
 * @throws {UserError} one clear line
 */
export const openConfig = flags =>
  host.loadConfig({
    ...(flags.basedir !== undefined && { baseDir: flags.basedir }),
    ...(flags.config !== undefined && { configFile: flags.config }),
    ...(flags.indirect && { indirect: true }),
    ...(flags['--'] !== undefined && { argv: vatArguments(flags) }),
    demosDir,
  });

/**
 * The groups of columns to record, and the meter of cycles if it is requested and available.
 *
 * @param {Flags} flags
 * @param {boolean} logsAll
 * @param {Screen} screen
 */
export const openMeter = async (flags, logsAll, screen) => {
  const groups = chooseGroups(flags, logsAll);
  if (!groups?.cycles) return { groups };
  const { meter, reason } = await host.openCycleMeter();
  if (meter) return { groups, cycleMeter: meter };
  screen.note(`--logcycles: cycles are not counted here: ${reason}; the stats file has none`);
  return { groups: { ...groups, cycles: false } };
};

/**
 * Open the state, and the thread that keeps the core awake while it waits for the disk.
 *
 * @param {Flags} flags
 * @param {object} parts
 * @param {ReturnType<typeof openConfig>} parts.config
 * @param {Places} parts.places
 * @param {'fresh' | 'continue'} parts.usually  the default treatment of an existing state
 * @param {Screen} parts.screen
 * @throws {UserError} if the state cannot be opened, or contradicts the flags
 */
export const openSessionState = async (flags, { config, places, usually, screen }) => {
  const asked = chooseStart(flags);
  const waits = !flags.memdb && flags.durability === 'commit' && flags.keepawake === true;
  const { keepAwake, reason } = waits ? await host.openKeepAwake() : {};
  if (reason !== undefined)
    screen.note(`--keepawake: the core may sleep while the disk is waited for: ${reason}`);
  if (flags.keepawake && !waits)
    screen.note(
      `--keepawake has no effect: ${flags.memdb ? 'a state in memory waits for no disk' : `no commit waits for the disk with --durability ${flags.durability}`}`,
    );
  const state = await host.openState({
    kind: flags.memdb ? 'memory' : 'lmdb',
    dir: places.stateDir,
    isNamed: flags.dbdir !== undefined,
    usually,
    durability: flags.durability,
    ...(keepAwake && { beforeWait: keepAwake }),
    onLoss: screen.tell,
    baseDir: config.baseDir,
    ...(asked !== undefined && { asked }),
  });
  if (flags['end-diverging'] && !state.resume) {
    await state.store.close();
    throw new UserError('--end-diverging is for a state that is resumed; give --resume');
  }
  return { state, ...(waits && { keepsAwake: keepAwake !== undefined }) };
};

/**
 * @template T
 * @param {{ close: () => Promise<void> }} store  closed if `open` fails
 * @param {() => Promise<T>} open
 */
export const openWatch = async (store, open) => {
  try {
    return await open();
  } catch (error) {
    await store.close();
    throw error;
  }
};
