// Makes vats from a config: bundles them, evaluates their modules, and makes their supervisors.

import { types } from 'node:util';
import { Fail, findNearestName, quote, UserError } from '#model';
import {
  Far,
  HandledPromise,
  findLazyAssert,
  findVirtualTools,
  hardenForVat,
  loadVatShims,
  loadVirtualTools,
  makeDispatchingSupervisor,
  makeVatDataParts,
  makeWeakCollections,
  passStyleOf,
  rawSupervisors,
  supervisors,
  VatProxy,
} from '#vat';
import {
  adoptBundle,
  bundleVat,
  listProvided,
  prepareBundle,
  usesPassStyle,
  usesVirtualData,
} from '#loader/bundle';
import { dateGlobalsOf2020, explainError, joinParts } from '#loader/compartment';
import { vatModules } from '#config';
import { endWithoutMemory, setLibraryHarden, tellEngineError, transformTildot } from '#loader';
import { explainRefusal } from '../explain/explain-refusal.js';
import { loadReactorRuntime, reactorModule } from './reactor-runtime.js';
import { tellTestLog } from './test-log.js';

/** @import { Kernel } from '#kernel' */
/** @import { Observer } from '#reactor' */
/** @import { Collector, MakeProgram, Supervisor, VatDataParts, VatShims } from '#vat' */
/** @import { BuiltInVat } from '#system-vats/index.js' */
/** @import { Bundle } from '#config/bundle-format.js' */
/** @import { ImportedVat, ImportOptions, PreparedBundle } from '#loader/bundle/import-bundle.js' */
/** @import { LoadedConfig } from '#config/load-config.js' */
/** @import { CodeSource, VatConfig } from '#config/read-config.js' */
/** @import { ConsoleLevel } from '#loader/compartment/vat-console.js' */
/** @import { ErrorReport } from '#loader/compartment/index.js' */
/** @import { VatWatch } from './vat-watch.js' */
/** @import { ReactorRuntime } from './reactor-runtime.js' */

/**
 * Callbacks that show a run's vats. All may be called in any crank. They get strings and reports, never a value of a
 * vat.
 *
 * @typedef {object} VatObserver
 * @property {(vatName: string, level: ConsoleLevel, text: string) => void} onConsole  a vat printed
 * @property {(vatName: string, text: string) => void} [onTestLog]  a vat or a device called `testLog`, also during a
 *   replay, as in SwingSet; default: `onConsole`
 * @property {(vatName: string, error: ErrorReport) => void} onVatError  an error left a vat, ended it, or was an
 *   unhandled rejection in it; each error once. An error that passes through a second vat to a third is reported in
 *   both
 */

/**
 * @typedef {object} VatSource
 * @property {Bundle} bundle
 * @property {Record<string, string>} sourceUrls
 * @property {string[]} [notices]
 * @property {boolean} [isMade]  whether it was made of sources just now, so that nobody else has the object
 */

/** @typedef {{ bundle: PreparedBundle, shims: VatShims, reactors: ReactorRuntime | undefined, usesVirtualData: boolean }} PreparedVat */

/**
 * Bundle the code of a vat of the config.
 *
 * @param {string} name
 * @param {VatConfig} vat
 * @param {LoadedConfig} config
 * @param {string | undefined} cacheDir
 * @returns {Promise<VatSource>}
 */
export const bundleConfiguredVat = async (name, vat, config, cacheDir) => {
  return bundleCode(`vat ${quote(name)}`, vat, config, cacheDir);
};

/**
 * Bundle code that a config names, for a vat, a device, or later vats.
 *
 * @param {string} subject  the subject of error messages
 * @param {CodeSource} code
 * @param {LoadedConfig} config
 * @param {string | undefined} cacheDir
 * @returns {Promise<VatSource>}
 */
export const bundleCode = async (subject, code, config, cacheDir) => {
  const source = code.bundleName === undefined ? code : config.bundles[code.bundleName];
  if (source.bundle !== undefined)
    return { bundle: adoptBundle(source.bundle, subject), sourceUrls: {} };
  if (source.sourceFile === undefined) throw new UserError(`${subject} has no source`);
  const { sourceRoots } = config;
  return bundleVat(source.sourceFile, {
    sourceRoots,
    providedNames,
    ...(cacheDir !== undefined && { cacheDir }),
  });
};

/**
 * The archive of named code for a vat that imports it: what the system provides to vats is of the installed packages there.
 *
 * @param {CodeSource} code
 * @param {LoadedConfig} config
 * @param {string | undefined} cacheDir
 * @returns {Promise<Record<string, string> | undefined>} undefined for code that is a bundle already
 * @throws {UserError} if a package is not installed
 */
export const archiveCode = async ({ sourceFile }, { sourceRoots }, cacheDir) => {
  if (sourceFile === undefined) return undefined;
  const { bundle } = await bundleVat(sourceFile, {
    sourceRoots,
    provided: new Set(),
    ...(cacheDir !== undefined && { cacheDir }),
  });
  const { writeArchive } = await import('#loader/bundle/write-archive.js');
  return writeArchive(bundle, cacheDir);
};

/** Find the exports of the runner's modules. @type {import('#loader/bundle/provided-modules.js').ProvidedNames} */
const providedNames = async specifier => {
  const { [specifier]: shim } = await loadVatShims([specifier]);
  return shim && new Set(Object.keys(shim));
};

const vatDataModule = '@agoric/vat-data';

setLibraryHarden(hardenForVat);

/** The global name under which each copy of @endo/pass-style looks for its vat's function, so that all copies agree. */
const passStyleOfKey = Symbol.for('@endo passStyleOf');

/**
 * Evaluate the vat's modules. If one throws, its own error is thrown.
 *
 * @param {PreparedBundle} prepared
 * @param {ImportOptions} options
 */
const importVat = (prepared, options) => {
  try {
    return prepared.importNow(options);
  } catch (error) {
    // The module's own error, if it threw an error; otherwise the thrown value is in the text.
    throw UserError.is(error) && types.isNativeError(error.cause) ? error.cause : error;
  }
};

/**
 * The parts from which a vat's supervisor is made.
 *
 * @typedef {object} VatParts
 * @property {string} vatId
 * @property {string} name
 * @property {Kernel['profile']} profile
 * @property {PreparedVat | undefined} prepared  undefined for a built-in vat
 * @property {BuiltInVat} [builtIn]  the code of a built-in vat
 * @property {Record<string, string>} sourceUrls
 * @property {VatWatch['hooks']} observer
 * @property {boolean} [enableSetup]  whether the vat may be a raw one
 * @property {boolean} [lenient]  whether objects that are not declared `Far` pass by reference; default false
 * @property {boolean} [enableDisavow]  whether the vat has the power of that name
 * @property {boolean} [relaxDurabilityRules]  whether durable data may refer to objects that are not durable
 * @property {Collector} [collector]  without one, a vat drops no references
 * @property {Record<string, unknown>} [morePowers]  in addition to the usual ones
 * @property {number} [firstPromise]  for a new incarnation: the number of the first promise that it may allocate
 * @property {boolean} [isStatic]  whether it is one of the config's; default true
 * @property {Observer} [reactionObserver]  watches its reactions
 * @property {(root: unknown) => void} onRoot  gets the root object; a raw vat has none
 * @property {(result: string, returned: Promise<unknown> | undefined) => void} [onSent]  called for each send of the vat
 * @property {(error: unknown, returned: Promise<unknown> | undefined) => void} [onUnsent]  called for each send whose
 *   arguments could not be passed
 */

/**
 * @param {VatParts} parts
 * @returns {Supervisor}
 */
export const makeSupervisor = parts =>
  endWithoutMemory(
    onSentError => buildSupervisor(parts, onSentError),
    (error, errorId) => parts.observer.onVatError(parts.name, error, errorId),
  );

/** Describes the exports of a module without a function `buildRootObject`. @param {Record<string, unknown>} namespace */
const describeExports = namespace => {
  const names = Object.keys(namespace);
  if (names.includes('buildRootObject'))
    return `the module exports buildRootObject, which is no function but ${typeof namespace.buildRootObject}`;
  const hint = names.some(name => findNearestName(name, ['buildRootObject']) !== undefined)
    ? 'did you mean "buildRootObject"?'
    : 'it must export buildRootObject(vatPowers, vatParameters)';
  return `${listExports(names)}; ${hint}`;
};

/** @param {readonly string[]} names */
const listExports = names => {
  if (names.length === 0) return 'the module exports nothing';
  const first = names.slice(0, 10).map(quote).join(', ');
  return `the module exports ${first}${names.length > 10 ? ' …' : ''}`;
};

/**
 * @param {Record<string, unknown>} namespace  of a module without `buildRootObject`
 * @param {string | undefined} url  of its file
 */
const refuseModule = (namespace, url) => {
  const error = Error('vat source bundle lacks buildRootObject() function');
  explainError(error, describeExports(namespace), firstLineOf(url));
  return error;
};

/**
 * @param {Record<string, unknown>} namespace  of a module without `setup`
 * @param {string | undefined} url  of its file
 */
const refuseRawModule = (namespace, url) => {
  const error = Error('vat source bundle lacks (default) setup() function');
  const found = listExports(Object.keys(namespace));
  explainError(error, `${found}; ${setupExpected}`, firstLineOf(url));
  return error;
};

/** @param {string | undefined} url */
const firstLineOf = url =>
  url === undefined ? undefined : { functionName: '', url, line: 1, column: 1 };

/**
 * @param {VatParts} parts
 * @param {(error: unknown, errorId?: string) => void} onSentError
 * @returns {Supervisor}
 */
const buildSupervisor = (
  {
    vatId,
    name,
    profile,
    prepared,
    builtIn,
    sourceUrls,
    observer,
    enableSetup = false,
    enableDisavow = false,
    lenient = false,
    relaxDurabilityRules = false,
    collector,
    morePowers = {},
    isStatic = true,
    firstPromise,
    reactionObserver,
    onRoot,
    onSent,
    onUnsent,
  },
  onSentError,
) => {
  if (builtIn !== undefined && 'buildDispatch' in builtIn)
    return makeDispatchingSupervisor(syscalls => builtIn.buildDispatch(syscalls, { profile }));
  const notation = /** @type {keyof typeof supervisors} */ (profile.wire.name);
  const testLog = (/** @type {unknown[]} */ ...parts) =>
    tellTestLog(observer, name, joinParts(parts));
  const options = {
    vatId,
    isStatic,
    ...(firstPromise !== undefined && { firstPromise }),
    usesPassStyle: prepared !== undefined && usesPassStyle(prepared.bundle.bundle),
    vatPowers: { testLog: harden(testLog), transformTildot, ...morePowers },
    onSentError,
    errorPolicy: tellEngineError,
    ...(collector && { collector }),
    ...(onSent && { onSent }),
    ...{ enableDisavow, lenient },
    onRoot,
  };
  if (builtIn !== undefined) {
    const print = (/** @type {string} */ text) => observer.onConsole(name, 'log', text);
    return supervisors[notation]({
      ...options,
      makeRoot: powers => builtIn.buildRoot({ ...powers, print, profile: profile.name }),
      buildRoot: () => undefined,
    });
  }
  if (prepared === undefined) throw Fail`vat ${name} has no code`;

  const vatData = makeVatDataParts(name);
  const { VatData, makeModule } = vatData;
  /** @type {ImportedVat | undefined} */
  let imported;
  // Under `current`, they hold imports.
  const weakCollections = profile.collectsObjects ? makeWeakCollections() : {};
  const lazyAssert = notation === 'qclass' ? findLazyAssert(prepared.shims) : undefined;
  const importModule = () => {
    if (imported !== undefined) return imported.namespace;
    imported = importVat(prepared.bundle, {
      name,
      endowments: { VatData, ...(lazyAssert && { assert: lazyAssert.assert }) },
      inherited: {
        // A bundle of another tool has its own copy of `E`, which looks up HandledPromise.
        ...{ HandledPromise, Proxy: VatProxy, harden: hardenForVat },
        ...weakCollections,
        ...(notation === 'smallcaps' ? { [passStyleOfKey]: passStyleOf } : dateGlobalsOf2020),
      },
      shims: withOwnVatData({ ...prepared.shims, ...lazyAssert?.modules }, makeModule),
      write: (level, text) => observer.onConsole(name, level, text),
      sourceUrls,
    });
    return imported.namespace;
  };

  /** @param {() => Record<string, any>} load  the vat's module */
  const makeUsual = load =>
    supervisors[notation]({
      ...options,
      virtual: {
        vatData,
        tools: prepared.usesVirtualData ? findVirtualTools() : undefined,
        isUsed: prepared.usesVirtualData,
        isRelaxed: relaxDurabilityRules,
      },
      vatPowers: {
        ...options.vatPowers,
        VatData,
        WeakMap,
        WeakSet,
        ...weakCollections,
        ...(enableDisavow && !profile.collectsObjects && { disavow: refuseDisavow(name) }),
      },
      onRefused: (error, refusal) => {
        if (refusal.kind === 'arguments') onUnsent?.(error, refusal.returned);
        explainRefusal(
          error,
          refusal.kind === 'root'
            ? { ...refusal, object: imported?.namespace.buildRootObject }
            : refusal,
          sought => imported?.findFunction(sought),
        );
      },
      buildReactor: (powers, parameters) => {
        const { buildReactor, buildRootObject } = load();
        if (typeof buildReactor !== 'function') return undefined;
        const main = buildReactor(powers, parameters);
        if (main === undefined && typeof buildRootObject !== 'function')
          throw TypeError(
            'buildReactor returned nothing; it must return an instance of a class that extends Reactor',
          );
        return main;
      },
      ...(prepared.reactors && {
        makeProgram: makeRooted(
          prepared.reactors.observedBy(reactionObserver),
          () => typeof load().buildRootObject === 'function',
        ),
        isSynchronous: prepared.bundle.isSynchronous && Object.keys(morePowers).length === 0,
      }),
      buildRoot: (powers, parameters) => {
        const namespace = load();
        const { buildRootObject, buildReactor } = namespace;
        if (typeof buildReactor === 'function' && notation !== 'smallcaps')
          throw Error('its module exports buildReactor, and reactors need --profile current');
        if (typeof buildRootObject !== 'function') {
          if (typeof buildReactor === 'function') return Far('root', { bootstrap: () => {} });
          throw refuseModule(namespace, sourceUrls[prepared.bundle.bundle.entry]);
        }
        return buildRootObject(powers, parameters, vatData.provideBaggage());
      },
    });

  if (!enableSetup) return makeUsual(importModule);
  return makeLateSupervisor(() => {
    /** @type {Record<string, any>} */
    let namespace;
    try {
      namespace = importModule();
    } catch (error) {
      return makeUsual(() => {
        throw error;
      });
    }
    const { buildRootObject, default: setup } = namespace;
    if (takesRoot[notation] && typeof buildRootObject === 'function')
      return makeUsual(() => namespace);
    if (typeof setup === 'function') return rawSupervisors[notation]({ ...options, setup });
    return makeUsual(() => {
      throw refuseRawModule(namespace, sourceUrls[prepared.bundle.bundle.entry]);
    });
  });
};

/**
 * Make programs that know whether their vat has its own root object.
 *
 * @param {MakeProgram} makeProgram
 * @param {() => boolean} hasRoot
 * @returns {MakeProgram}
 */
const makeRooted = (makeProgram, hasRoot) => (main, options) =>
  makeProgram(main, { ...options, hasRoot: hasRoot() });

/** @param {string} name  of the vat */
const refuseDisavow = name => () => {
  throw Error(
    `vat ${quote(name)} calls disavow(), which the kernel of 2020-09 had not; it is there under --profile current`,
  );
};

/**
 * Replace the module of virtual data by the vat's own, whose errors name the vat.
 *
 * @param {VatShims} shims
 * @param {VatDataParts['makeModule']} makeModule
 */
const withOwnVatData = (shims, makeModule) => {
  const { [vatDataModule]: shared, ...others } = shims;
  return shared === undefined
    ? shims
    : { ...others, [vatDataModule]: { ...shared, ...makeModule(shared.provide) } };
};

/** Whether `enableSetup` also takes `buildRootObject`, before a default export; by notation, as in the kernel of that time. */
const takesRoot = { smallcaps: false, qclass: true };

const setupExpected =
  'with enableSetup its default export must be setup(syscall, state, helpers, vatPowers); leave enableSetup out for buildRootObject';

/**
 * Make a supervisor that is chosen at the first delivery, since only an evaluated module shows whether the vat is a raw
 * one.
 *
 * @param {() => Supervisor} choose
 * @returns {Supervisor}
 */
const makeLateSupervisor = choose => {
  /** @type {Supervisor | undefined} */
  let chosen;
  const require = () => chosen ?? Fail`a vat ends a delivery before its first one has begun`;
  return Object.freeze({
    /** @type {Supervisor['begin']} */
    begin(delivery, answerer, when) {
      chosen ??= choose();
      chosen.begin(delivery, answerer, when);
    },
    goesOn: () => require().goesOn?.() ?? false,
    goOn: drain => require().goOn?.(drain),
    tellAlone: () => chosen?.tellAlone?.(),
    finish: () => require().finish(),
    outline: options => chosen?.outline?.(options),
  });
};

/** @param {Set<string>} specifiers @returns {Promise<VatShims>} */
const loadShims = async specifiers => {
  const vats = [...specifiers].filter(specifier => vatModules.has(specifier));
  if (vats.length === 0) return loadVatShims(specifiers);
  const others = [...specifiers].filter(specifier => !vatModules.has(specifier));
  const { loadVatModules } = await import('#system-vats/as-modules.js');
  return { ...(await loadVatShims(others)), ...(await loadVatModules(vats)) };
};

/** Tell whether a vat of a bundle may have reactors. @param {Bundle} bundle */
export const usesReactors = bundle =>
  listProvided(bundle).has(reactorModule) &&
  (bundle.foreign?.source.includes(reactorModule) ?? true);

/**
 * Do the slow work before a vat is made: compile its bundle and load provided modules.
 *
 * @param {Bundle} bundle
 * @param {Record<string, string>} sourceUrls
 * @param {string | undefined} cacheDir
 * @param {boolean} [isMade]  whether this process made the bundle
 * @returns {Promise<PreparedVat>}
 */
export const prepareVat = async (bundle, sourceUrls, cacheDir, isMade = false) => {
  const provided = listProvided(bundle);
  provided.delete(reactorModule);
  const reactors = usesReactors(bundle) ? await loadReactorRuntime() : undefined;
  const shims = await loadShims(provided);
  const isVirtual = usesVirtualData(bundle);
  if (isVirtual) await loadVirtualTools();
  return {
    bundle: await prepareBundle(bundle, {
      sourceUrls,
      isMade,
      ...(cacheDir !== undefined && { cacheDir }),
    }),
    shims: reactors === undefined ? shims : { ...shims, [reactorModule]: reactors.shim },
    reactors,
    usesVirtualData: isVirtual,
  };
};
