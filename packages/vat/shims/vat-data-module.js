// The module `@agoric/vat-data`: kinds, exos and stores that are provided by name, and made if the baggage has none.
// The part that needs no virtual data is in vat-data-plain.js, which loads libraries; so it comes as an argument.

/** @typedef {any} Baggage  a durable map store */

/** @typedef {(...args: any[]) => any} Init */

/**
 * Gets a store's value under a key; makes it if there is none.
 *
 * @typedef {(store: any, key: any, make: () => any) => any} Provide
 */

/**
 * The exports of the module beside the functions of `VatData`.
 *
 * @param {Record<string, (...args: any[]) => any>} VatData
 * @param {Provide} provide
 */
const makeExos = (VatData, provide) => {
  /** @param {Baggage} baggage @param {string} kindName */
  const provideKindHandle = (baggage, kindName) =>
    provide(baggage, `${kindName}_kindHandle`, () => VatData.makeKindHandle(kindName));

  /** @param {string} maker  of `VatData` */
  const providerOf = maker => (/** @type {Baggage} */ baggage, /** @type {string} */ name) =>
    provide(baggage, name, () => VatData[maker](name, { durable: true }));

  /** @param {'defineKind' | 'defineKindMulti' | 'defineDurableKind' | 'defineDurableKindMulti'} define @param {'interfaceGuard' | 'interfaceGuardKit'} guardName */
  const exoDefiner =
    (define, guardName) =>
    (
      /** @type {any} */ tagOrHandle,
      /** @type {any} */ guard,
      /** @type {Init} */ init,
      /** @type {any} */ methods,
      /** @type {object | undefined} */ options,
    ) =>
      VatData[define](tagOrHandle, init, methods, {
        ...options,
        thisfulMethods: true,
        [guardName]: guard,
      });
  const defineDurableExoClass = exoDefiner('defineDurableKind', 'interfaceGuard');
  const defineDurableExoClassKit = exoDefiner('defineDurableKindMulti', 'interfaceGuardKit');

  /** @param {typeof defineDurableExoClass} define */
  const exoPreparer =
    define =>
    (
      /** @type {Baggage} */ baggage,
      /** @type {string} */ kindName,
      /** @type {any} */ guard,
      /** @type {Init} */ init,
      /** @type {any} */ methods,
      /** @type {object | undefined} */ options = undefined,
    ) =>
      define(provideKindHandle(baggage, kindName), guard, init, methods, options);
  const prepareExoClass = exoPreparer(defineDurableExoClass);

  /** @param {'defineDurableKind' | 'defineDurableKindMulti'} define */
  const kindPreparer =
    define =>
    (
      /** @type {Baggage} */ baggage,
      /** @type {string} */ kindName,
      /** @type {Init} */ init,
      /** @type {any} */ behavior,
      /** @type {object | undefined} */ options = undefined,
    ) =>
      VatData[define](provideKindHandle(baggage, kindName), init, behavior, options);

  /**
   * @param {Baggage} baggage
   * @param {string} kindName
   * @param {any} guard
   * @param {any} methods
   * @param {object} [options]
   */
  const prepareExo = (baggage, kindName, guard, methods, options = undefined) => {
    const make = prepareExoClass(baggage, kindName, guard, () => harden({}), methods, options);
    return provide(baggage, `${kindName}_singleton`, () => make());
  };

  return {
    defineDurableExoClass,
    defineDurableExoClassKit,
    defineVirtualExoClass: exoDefiner('defineKind', 'interfaceGuard'),
    defineVirtualExoClassKit: exoDefiner('defineKindMulti', 'interfaceGuardKit'),
    prepareExo,
    prepareExoClass,
    prepareExoClassKit: exoPreparer(defineDurableExoClassKit),
    prepareKind: kindPreparer('defineDurableKind'),
    prepareKindMulti: kindPreparer('defineDurableKindMulti'),
    /** @type {(baggage: Baggage, kindName: string, methods: any, options?: object) => any} */
    prepareSingleton: (baggage, kindName, methods, options) =>
      prepareExo(baggage, kindName, undefined, methods, options),
    provideDurableMapStore: providerOf('makeScalarBigMapStore'),
    provideDurableSetStore: providerOf('makeScalarBigSetStore'),
    provideDurableWeakMapStore: providerOf('makeScalarBigWeakMapStore'),
    provideDurableWeakSetStore: providerOf('makeScalarBigWeakSetStore'),
    provideKindHandle,
  };
};

/**
 * @param {Record<string, (...args: any[]) => any>} VatData
 * @param {unknown} M  the maker of patterns; undefined if the vat does not need it
 * @param {Provide} provide
 * @returns {Record<string, unknown>} exports, except the plain ones
 */
export const makeVatDataModule = (VatData, M, provide) => ({
  ...VatData,
  ...makeExos(VatData, provide),
  VatData,
  M,
});
