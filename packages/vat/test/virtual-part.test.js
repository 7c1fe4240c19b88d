// The virtual data of a vat, as its supervisor has it: of vats without such data, and of those that have it.

import '#testkit/lockdown.js';

import test from 'ava';
import { loadVirtualTools, makeVatDataParts, passStyleOf } from '#vat';
import { References } from '../supervisor/references.js';
import { SyscallBuffer } from '../supervisor/syscall-buffer.js';
import { VirtualPart } from '../supervisor/virtual-part.js';

/** @param {object} [options]  of virtual data; none for a vat without any */
const makePart = options => {
  /** @type {Map<string, string>} the vat's own store */
  const store = new Map();
  const syscalls = new SyscallBuffer();
  const collector = { WeakRef, watch: () => {}, collect: () => references.beginCollection() };
  /** @type {References} */
  const references = new References(collector);
  const unused = () => {
    throw Error('these vats have no such references');
  };
  const vatData = makeVatDataParts('v1');
  const part = new VirtualPart(options && /** @type {any} */ ({ vatData, ...options }), {
    ...{ syscalls, references, slotOf: unused, valueOf: unused, insistUsable: () => {} },
    ...{ followPromise: unused, revivePromise: unused, errorOptions: {} },
  });
  const begin = () =>
    syscalls.begin(([kind, key]) => ({
      kind: 'value',
      value:
        kind === 'vatstoreGet'
          ? store.get(String(key))
          : [...store.keys()].sort().find(found => found > String(key)),
    }));
  const finish = () => {
    part.flush();
    const { syscalls: all } = syscalls.take(null, null);
    for (const [kind, key, value] of /** @type {any} */ (all))
      if (kind === 'vatstoreSet') store.set(key, value);
      else if (kind === 'vatstoreDelete') store.delete(key);
    return all;
  };
  return { part, references, vatData, begin, finish };
};

test('a vat without virtual data writes nothing', t => {
  const { part, begin, finish } = makePart();
  begin();
  part.begin();
  part.exportAll(['o+1']);
  t.deepEqual(finish(), []);
  t.is(part.data, undefined);
  t.false(part.takeWish());
});

test('an export that others have dropped is dead when the vat does not hold it either', t => {
  const { part, references } = makePart();
  references.register('o+1', harden({}));
  references.register('o+2', harden({}));
  part.drop(['o+1']);
  t.deepEqual(references.findDead().retiredExports, ['o+1']);
});

test('an export that nobody recognises leaves the table of a vat without virtual data', t => {
  const { part, references } = makePart();
  const value = harden({});
  references.register('o+1', value);
  part.retireExports(['o+1']);
  t.is(references.findValue('o+1'), undefined);
});

test('a vat whose source names no virtual data gets an error that says what to do', t => {
  const { part, vatData } = makePart({ tools: undefined, isUsed: false });
  part.begin();
  t.throws(() => vatData.VatData.makeScalarBigMapStore('list'), {
    message: /its source names neither VatData nor baggage, .*; name one of them$/,
  });
});

test('a vat that uses virtual data has it from its start, and writes it when the crank ends', async t => {
  const tools = await loadVirtualTools();
  const { part, vatData, begin, finish } = makePart({ tools, isUsed: true });
  begin();
  part.begin();
  const started = finish();
  t.true(started.length > 0);
  begin();
  vatData.VatData.makeScalarBigMapStore('list').init('k', 7);
  const keys = finish().flatMap(([kind, key]) => (kind === 'vatstoreSet' ? [String(key)] : []));
  t.true(
    keys.some(key => /^vc\.\d+\.sk$/.test(key)),
    keys.join(),
  );
});

test('the baggage of a vat that uses virtual data is passable, and can be kept in itself', async t => {
  const tools = await loadVirtualTools();
  const { part, vatData, begin } = makePart({ tools, isUsed: true });
  begin();
  part.begin();
  const baggage = /** @type {any} */ (vatData.provideBaggage());
  t.is(passStyleOf(baggage), 'remotable');
  baggage.init('itself', baggage);
  t.is(baggage.get('itself'), baggage);
});

test('an error that a virtual object keeps is frozen', async t => {
  const tools = await loadVirtualTools();
  const { part, vatData, begin } = makePart({ tools, isUsed: true });
  begin();
  part.begin();
  const make = vatData.VatData.defineKind(undefined, (/** @type {Error} */ value) => ({ value }), {
    get: (/** @type {any} */ { state }) => state.value,
    set(/** @type {any} */ { state }, /** @type {Error} */ value) {
      state.value = value;
    },
  });
  const kept = make(Error('first'));
  t.true(Object.isFrozen(kept.get()));
  kept.set(Error('second'));
  t.true(Object.isFrozen(kept.get()));
  t.is(kept.get().message, 'second');
});

test('a virtual object cannot be the root object', async t => {
  const tools = await loadVirtualTools();
  const { part, vatData, begin } = makePart({ tools, isUsed: true });
  begin();
  part.begin();
  const make = vatData.VatData.defineKind('thing', () => ({}), {});
  t.throws(() => part.insistEphemeral(make()), {
    message: 'buildRootObject() must return ephemeral, not virtual/durable object',
  });
  t.notThrows(() => part.insistEphemeral(harden({})));
});

test('a walk through a collection begins when its first entry is asked for', async t => {
  const tools = await loadVirtualTools();
  const { part, vatData, begin } = makePart({ tools, isUsed: true });
  begin();
  part.begin();
  const map = vatData.VatData.makeScalarBigMapStore('map');
  map.init('b', 2);
  for (const walk of ['keys', 'values', 'entries']) {
    const size = map.getSize();
    const early = map[walk]();
    map.init(`a ${walk}`, 1);
    t.is([...early].length, size + 1, `${walk}() sees what was added before`);
    const late = map[walk]();
    late.next();
    map.init(`c ${walk}`, 3);
    t.throws(() => late.next(), { message: 'keys in store cannot be added to during iteration' });
    const noPattern = map[walk](harden(Promise.resolve()));
    t.throws(() => noPattern.next(), { message: /promise/i }, walk);
  }
});
