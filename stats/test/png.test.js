// The PNG encoder: what it writes is a file that others read, with the same pixels.

import zlib from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import { Resvg } from '@resvg/resvg-js';
import { divideColours, encodePng } from '../draw/png.js';

/** @param {Uint8Array} file */
const decode = file => {
  const bytes = Buffer.from(file);
  /** @type {[type: string, content: Buffer][]} */
  const chunks = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (bytes.readUInt32BE(end) !== zlib.crc32(bytes.subarray(at + 4, end))) throw Error('CRC');
    chunks.push([bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, end)]);
    at = end + 4;
  }
  return chunks;
};

const image = fc
  .record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) })
  .chain(({ width, height }) => {
    const length = width * height * 4;
    return fc.record({
      ...{ width: fc.constant(width), height: fc.constant(height) },
      pixels: fc.uint8Array({ minLength: length, maxLength: length }),
    });
  });

test('a PNG has the size and the pixels that it was made of', t =>
  fc.assert(
    fc.asyncProperty(image, async ({ width, height, pixels }) => {
      const chunks = decode(await encodePng({ width, height, pixels }));
      t.deepEqual(
        chunks.map(([type]) => type),
        ['IHDR', 'IDAT', 'IEND'],
      );
      t.deepEqual([...chunks[0][1]], [0, 0, 0, width, 0, 0, 0, height, 8, 6, 0, 0, 0]);
      const rows = zlib.inflateSync(chunks[1][1]);
      const kept = [];
      for (let y = 0; y < height; y += 1) {
        const row = rows.subarray(y * (width * 4 + 1), (y + 1) * (width * 4 + 1));
        t.is(row[0], 0);
        kept.push(...row.subarray(1));
      }
      t.deepEqual(kept, [...pixels]);
    }),
  ));

test("a reader of PNG that is not ours takes the file, and pixels are resvg's own", async t => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10">
    <rect width="10" height="10" fill="#0072b2"/><rect x="10" width="10" height="10" fill="#d55e00" opacity="0.5"/></svg>`;
  const drawn = new Resvg(svg).render();
  const { width, height, pixels } = drawn;
  const data = Buffer.from(
    await encodePng({ width, height, pixels: divideColours(pixels) }),
  ).toString('base64');
  const shown = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10">
    <image width="20" height="10" href="data:image/png;base64,${data}"/></svg>`;
  const again = new Resvg(shown).render();
  const expected = Buffer.from(drawn.asPng()).toString('base64');
  const theirs = new Resvg(shown.replace(data, expected)).render();
  t.deepEqual(again.pixels, theirs.pixels);
});
