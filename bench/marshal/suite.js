// Measures marshalling: ours beside @endo/marshal, on the bodies that vats mostly send.

import { createHash } from 'node:crypto';
import { measureInTurns } from '#measure';

/** @import { Suite } from '../suite.js' */

/** Values are prepared, since making them is not what is measured; enough of them that caches see no repeats. */
const prepared = 512;

/** @type {Suite} */
export default {
  about: 'ours against @endo/marshal, encoding and decoding',
  async run({ small }) {
    await import('#testkit/lockdown.js');
    const ours = await import('../../packages/vat/marshal/index.js');
    const { libraryFar, libraryRemotable } =
      await import('../../packages/vat/marshal/pass-style.js');
    const { makeMarshal } = await import('@endo/marshal');

    /** @type {Map<unknown, string>} */
    const slots = new Map();
    /** @type {Map<string, unknown>} */
    const values = new Map();
    const slotOf = (/** @type {any} */ value) => {
      let slot = slots.get(value);
      if (slot === undefined) {
        slot = `${value instanceof Promise ? 'p' : 'o'}+${slots.size}`;
        slots.set(value, slot);
        values.set(slot, value);
      }
      return slot;
    };
    const valOf = (/** @type {string} */ slot) => /** @type {any} */ (values.get(slot));

    const smallcaps = ours.makeSmallcapsMarshal(slotOf, valOf, { lenient: true });
    const library = makeMarshal(slotOf, valOf, {
      serializeBodyFormat: 'smallcaps',
      marshalSaveError: () => {},
    });
    const alice = ours.Far('alice', { hello() {} });
    const bob = ours.Far('bob', { hello() {} });

    /** @type {Record<string, (i: number) => any>} */
    const shapes = {
      undefined: () => undefined,
      '[]': () => [],
      '["ping",["0"]]': i => ['ping', [String(i)]],
      '["hello",[remotable]]': () => ['hello', [alice]],
      '["hello",[promise,3]]': i => ['hello', [Promise.resolve(), i]],
      '{a:1n,b:remotable}': i => ({ a: BigInt(i), b: bob }),
      'a record of 8 texts': i =>
        Object.fromEntries(Array.from({ length: 8 }, (_, k) => [`key${k}`, `some text ${i} ${k}`])),
      'an array of 100 numbers': i => Array.from({ length: 100 }, (_, k) => k * i),
    };

    /** @type {import('#measure').Figure[]} */
    const figures = [];
    const options = small
      ? { batches: 2, perBatch: 2, warmupMs: 0, params: { prepared } }
      : { params: { prepared } };

    /**
     * @param {string} name
     * @param {Record<string, (i: number) => unknown>} sides  each does the thing once, with the i-th prepared value
     */
    const compare = async (name, sides) => {
      const contestants = Object.entries(sides).map(([side, act]) => ({
        name: `${name}, ${side}`,
        run: (/** @type {number} */ n) => {
          /** @type {unknown} */
          let last;
          for (let i = 0; i < n; i += 1) last = act(i % prepared);
          return last;
        },
      }));
      figures.push(...(await measureInTurns(contestants, options)));
    };

    const hash = createHash('sha256');
    for (const [name, make] of Object.entries(shapes)) {
      const hardened = Array.from({ length: prepared }, (_, i) => harden(make(i)));
      const datas = hardened.map(value => smallcaps.toCapData(value));
      for (const { body, slots: listed } of datas) hash.update(`${body} ${listed.length}\n`);
      await compare(`encode ${name}`, {
        ours: i => smallcaps.toCapData(hardened[i]),
        library: i => library.toCapData(hardened[i]),
      });
      await compare(`decode ${name}`, {
        ours: i => smallcaps.fromCapData(datas[i]),
        library: i => library.fromCapData(datas[i]),
      });
    }

    // Like a send of the supervisor: the arguments are new, then hardened and encoded.
    await compare('send ping("0")', {
      ours: i => smallcaps.messageToCapData('ping', [String(i)]),
      library: i => library.toCapData(harden(['ping', [String(i)]])),
    });
    await compare('send hello({a: [i], b: remotable})', {
      ours: i => smallcaps.messageToCapData('hello', [{ a: [i], b: alice }]),
      library: i =>
        library.toCapData(harden(/** @type {any} */ (['hello', [{ a: [i], b: alice }]]))),
    });
    const messages = Array.from({ length: prepared }, (_, i) =>
      smallcaps.messageToCapData('ping', [String(i)]),
    );
    await compare('receive ping("0")', {
      ours: i => smallcaps.messageFromCapData(messages[i]),
      library: i => library.fromCapData(messages[i]),
    });
    await compare('a presence', {
      ours: i => ours.Remotable(`Alleged: presence o-${i}`),
      library: i => libraryRemotable(`Alleged: presence o-${i}`),
    });
    await compare('Far of two methods', {
      ours: i => ours.Far('alice', { hello: () => i, bye: () => i }),
      library: i => libraryFar('alice', { hello: () => i, bye: () => i }),
    });
    await compare('harden ["ping",["0"]]', {
      ours: i => ours.hardenData(['ping', [String(i)]]),
      library: i => harden(['ping', [String(i)]]),
    });
    return { figures, digest: hash.digest('hex') };
  },
};
