// Does one job of the drawing process: writes a chart, given as a specification or as stats files,
// to a file. The file's ending chooses the format.

import fs from 'node:fs';
import { UserError, quote } from '#model';
import { makeChartSpec } from '../charts/index.js';
import { makePageModel } from '../charts/page-model.js';
import { findFormat } from '../formats.js';
import { readRunFlags } from '../run-flags.js';
import { drawPage } from './page.js';
import { drawSvg, svgToPng } from './picture.js';
import { drawRunsPage } from './runs-page.js';

/** @import { Spec } from '../charts/frame.js' */
/** @import { Format } from '../formats.js' */
/** @import { StatsData } from '../read.js' */
/** @import { RenderJob } from '../render.js' */

/** @param {string} svg */
const svgToPdf = async svg => {
  const { svgToPdfBytes } = await import('./pdf.js');
  return svgToPdfBytes(svg);
};

/** @type {Partial<{ [format in Format]: (svg: string) => string | Uint8Array | Promise<Uint8Array> }>} */
const svgWriters = { png: svgToPng, pdf: svgToPdf, svg: svg => svg };

/** @type {{ [format in Format]: (spec: Spec) => string | Uint8Array | Promise<string | Uint8Array> }} */
const writers = {
  png: async spec => svgToPng(await drawSvg(spec)),
  pdf: async spec => svgToPdf(await drawSvg(spec)),
  svg: spec => drawSvg(spec),
  html: spec => drawPage(spec),
  json: spec => `${JSON.stringify(spec, null, 1)}\n`,
};

/**
 * @param {RenderJob} job
 * @param {(file: string) => StatsData} read  may cache files, since several charts show the same
 */
export const writeChart = async (job, read) => {
  const { out } = job;
  const format = findFormat(out);
  writeBytes(out, await drawJob(job, format, read));
};

/**
 * @param {RenderJob} job
 * @param {Format} format
 * @param {(file: string) => StatsData} read
 */
const drawJob = (job, format, read) => {
  if ('svg' in job) {
    const write = svgWriters[format];
    if (write === undefined) throw Error(`a drawn picture is not written as ${format}`);
    return write(job.svg);
  }
  let spec;
  if ('spec' in job) {
    ({ spec } = job);
  } else {
    const { out: _, kind, files, labels = [], ...options } = job;
    const datasets = files.map((file, i) => {
      const data = read(file);
      const flags = readRunFlags(file, data.rows.steps);
      return { ...data, label: labels[i] ?? data.label, ...(flags !== undefined && { flags }) };
    });
    if (format === 'html') return drawRunsPage(makePageModel(kind, datasets, options));
    spec = makeChartSpec(kind, datasets, options);
  }
  return writers[format](spec);
};

/** Errors of a folder that takes no draft: it may not be added to, the file is a mount of its own, or its name is long. */
const noDraft = new Set(['EACCES', 'EPERM', 'EBUSY', 'ENAMETOOLONG']);

/**
 * Write a file whole or not at all, as far as it is or becomes a plain file: as a draft that is renamed. Where the folder
 * takes no draft, it is written in place.
 *
 * @param {string} out
 * @param {string | Uint8Array} bytes
 */
const writeWhole = (out, bytes) => {
  const found = fs.lstatSync(out, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    fs.writeFileSync(out, bytes);
    return;
  }
  if (found !== undefined) fs.accessSync(out, fs.constants.W_OK);
  const draft = `${out}.${process.pid}.part`;
  try {
    fs.writeFileSync(draft, bytes);
    fs.renameSync(draft, out);
  } catch (error) {
    if (fs.existsSync(draft)) fs.rmSync(draft);
    if (!noDraft.has(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')) throw error;
    fs.writeFileSync(out, bytes);
  }
};

/**
 * @param {string} out
 * @param {string | Uint8Array} bytes
 */
const writeBytes = (out, bytes) => {
  try {
    writeWhole(out, bytes);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(
      `graph ${quote(out)} cannot be written (${code}); name a file in a folder that exists and has room`,
      { exitCode: 1 },
    );
  }
};
