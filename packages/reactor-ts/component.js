// The base of reactors, ports, actions and timers: a container, a name in it, and a key that only
// the container knows. Code with the key may write a port, schedule an action, or add reactions to
// a trigger.

/** @import { Reactor } from './reactor.js' */
/** @import { Runtime } from './runtime.js' */

/**
 * The kinds of components, for classes that cannot import the component's class.
 *
 * @typedef {'part' | 'port' | 'multiport' | 'reactor' | 'app' | 'action'} Kind
 */

/** A part of a program, with its name and its place among the reactors that contain it. */
export class Component {
  static pathSeparator = '.';

  /** @protected */
  _key = Symbol('Unique component identifier');

  /**
   * @param {Reactor | null | undefined} container  null for an app, which contains itself
   * @throws {Error} if there is none for a component other than an app
   */
  constructor(container) {
    if ((container ?? null) === null && this._kind !== 'app') {
      throw new Error('Cannot instantiate component without a parent.');
    }
    const own = container ?? /** @type {any} */ (this);
    container?._register(this, this._key);
    /** @protected @type {Reactor} */
    this._container = own;
    // Names are looked up in enumerable fields; the container is not a part of the object.
    Object.defineProperty(this, '_container', { enumerable: false });
  }

  /** @type {Kind} */
  get _kind() {
    return 'part';
  }

  /**
   * @param {Runtime} _runtime
   * @returns {void}
   */
  _receiveRuntimeObject(_runtime) {
    throw new Error('This component has no use for a runtime object.');
  }

  /** @protected */
  _linkToRuntimeObject() {
    this._container._requestRuntimeObject(this);
  }

  _isRegistered() {
    return this._container !== undefined;
  }

  /** @param {Component} reactor @returns {boolean} */
  _isContainedBy(reactor) {
    return this._kind !== 'app' && this._container === reactor;
  }

  /** @param {Component} reactor @returns {boolean} */
  _isContainedByContainerOf(reactor) {
    return this._kind !== 'app' && this._container._isContainedBy(reactor);
  }

  /** @returns {string} */
  _getFullyQualifiedName() {
    if (this._kind === 'app') return this._getName();
    return this._container._getFullyQualifiedName() + Component.pathSeparator + this._getName();
  }

  /** The name of the field that holds the component, with an index for a channel or a member of a bank; otherwise the name of its class. */
  _getName() {
    const { _container: container, _kind: kind } = this;
    let name = Component.keyOfMatchingEntry(this, container);
    if (name === '' && kind === 'port') name = Component.keyOfMatchingMultiport(this, container);
    if (name === '' && kind === 'reactor') name = Component.keyOfMatchingBank(this, container);
    return name || this.constructor.name;
  }

  /** The reactor that contains it; an app contains itself. */
  _getContainer() {
    return this._container;
  }

  /**
   * The name of the field that holds a component.
   *
   * @param {Component} component
   * @param {object} object
   * @returns {string} empty if none does
   */
  static keyOfMatchingEntry(component, object) {
    return Object.entries(object).find(([, value]) => value === component)?.[0] ?? '';
  }

  /**
   * The field and the index of a port that is a channel of a multiport.
   *
   * @param {Component} port
   * @param {Reactor} reactor
   * @returns {string} empty if it is none
   */
  static keyOfMatchingMultiport(port, reactor) {
    return indexedKey(port, reactor, value =>
      value?._kind === 'multiport' ? value.channels() : [],
    );
  }

  /**
   * The field and the index of a reactor that is a member of a bank.
   *
   * @param {Component} member
   * @param {Reactor} reactor
   * @returns {string} empty if it is none
   */
  static keyOfMatchingBank(member, reactor) {
    return indexedKey(member, reactor, value => (value?._kind === 'bank' ? value.all() : []));
  }
}

/**
 * @param {Component} part
 * @param {object} container
 * @param {(value: any) => any[]} partsOf
 */
const indexedKey = (part, container, partsOf) => {
  for (const [key, value] of Object.entries(container)) {
    const index = partsOf(value).indexOf(part);
    if (index >= 0) return `${key}[${index}]`;
  }
  return '';
};
