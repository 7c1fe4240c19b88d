// Runs in the browser: draws the model of page-model.js with uPlot. All panels share crosshair,
// visible range and legend. Labels come from files and are set as text, never as HTML.

const model = JSON.parse(document.getElementById('model').textContent);
const find = id => document.getElementById(id);
const panelsBox = find('panels');
const tip = find('tip');
const axisTitles = {
  block: 'Block',
  time: 'Time of all blocks up to there (s)',
  share: 'Share of the run (%)',
};
const isMany = model.panels.length > 4;
const key = 'swingset-runner';

const state = {
  axis: model.axis,
  theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  whole: false,
  log: model.panels.some(({ isLog }) => isLog),
  hidden: new Set(),
  /** The visible range, the same in all panels; undefined at first. */
  range: undefined,
};
/** @type {{ plot: any, panel: any, series: any[], box: HTMLElement }[]} */
let drawn = [];

const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const colourOf = line => (state.theme === 'dark' ? line.dark : line.colour);
const pointColour = line => (state.theme === 'dark' ? line.dim : line.pale);
/** A log scale has no place for 0. */
const lowestOf = panel =>
  panel.lines.reduce(
    (least, { ys }) => ys.reduce((low, y) => (y > 0 && y < low ? y : low), least),
    Infinity,
  );
/** To one digit. */
const roundDown = value => {
  const step = 10 ** Math.floor(Math.log10(value));
  return Math.floor(value / step) * step;
};
const isLogIn = panel => state.log && lowestOf(panel) < Infinity;
const format = value =>
  value === null || value === undefined
    ? '–'
    : Math.abs(value) >= 1e6 || (Math.abs(value) < 1e-3 && value !== 0)
      ? value.toPrecision(4)
      : value.toLocaleString('en', { maximumSignificantDigits: 6 });

/** Distances of the ticks of values that are whole numbers, and of blocks. */
const wholeSteps = Array.from({ length: 12 }, (_, i) =>
  [1, 2, 5].map(factor => factor * 10 ** i),
).flat();

/** The labels of an axis; a log scale leaves some ticks without one. */
const nameTicks = (_, ticks) => ticks.map(tick => (tick === null ? '' : format(tick)));

/** The curves of a panel: a line is one curve, or scattered points and their rolling median. */
const curvesOf = panel =>
  panel.lines.flatMap(line =>
    line.median === null
      ? [{ line, xs: line.xs[state.axis], ys: line.ys, isPoints: line.ys.length === 1 }]
      : [
          { line, xs: line.xs[state.axis], ys: line.ys, isPoints: true },
          { line, xs: line.median.xs[state.axis], ys: line.median.ys, isPoints: false },
        ],
  );

const seriesOf = ({ line, isPoints }) => ({
  label: line.name,
  show: !state.hidden.has(line.name),
  stroke: isPoints && line.median !== null ? pointColour(line) : colourOf(line),
  // A line stands out of its points, however dense they are.
  width: isPoints ? 0 : isMany ? 1.6 : line.ys.length > 1000 ? 3 : 2.2,
  dash: line.dash[1] === 0 || isPoints ? undefined : line.dash,
  spanGaps: true,
  paths: isPoints ? () => null : undefined,
  points: isPoints
    ? {
        show: true,
        size: line.ys.length > 1000 ? 2 : line.ys.length > 1 ? 3.5 : 10,
        fill: line.median === null ? colourOf(line) : pointColour(line),
        width: 0,
      }
    : { show: line.ys.length <= 40, size: 6, fill: colourOf(line) },
});

/** The point of a curve that is nearest to a position. */
const nearest = ({ xs, ys }, x) => {
  let low = 0;
  let high = xs.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (xs[middle] < x) low = middle;
    else high = middle;
  }
  const at = Math.abs(xs[low] - x) <= Math.abs(xs[high] - x) ? low : high;
  return { x: xs[at], y: ys[at] };
};

const cell = (name, text) => {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
};

const showTip = (entry, event) => {
  const { left } = entry.plot.cursor;
  if (left === undefined || left < 0) {
    tip.style.display = 'none';
    return;
  }
  const x = entry.plot.posToVal(left, 'x');
  const table = document.createElement('table');
  let place;
  for (const line of entry.panel.lines.filter(({ name }) => !state.hidden.has(name))) {
    const found = nearest({ xs: line.xs[state.axis], ys: line.ys }, x);
    place ??= found.x;
    const row = document.createElement('tr');
    const name = cell('th', line.name);
    name.style.borderLeft = `4px solid ${colourOf(line)}`;
    name.style.paddingLeft = '6px';
    row.append(name, cell('td', `${format(found.y)} ${entry.panel.unit.split(' ')[0]}`));
    table.append(row);
  }
  tip.replaceChildren(cell('div', `${axisTitles[state.axis]} ${format(place)}`), table);
  tip.style.display = 'block';
  const fits = event.clientX + 16 + tip.offsetWidth < innerWidth;
  tip.style.left = `${Math.max(4, fits ? event.clientX + 16 : event.clientX - tip.offsetWidth - 16)}px`;
  tip.style.top = `${Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8)}px`;
};

const widthOf = box => Math.max(240, Math.floor(box.clientWidth));
const heightOf = box => (isMany ? 170 : Math.max(300, Math.min(440, widthOf(box) * 0.45)));

/** Show one range in all panels. uPlot moves its scales a moment later, and then calls setScale hooks. */
const showRange = range => {
  state.range = range;
  for (const { plot } of drawn) plot.setScale('x', range);
};

/** After one panel was zoomed, zoom the others. */
const followRange = ({ min, max }) => {
  if (state.range?.min === min && state.range?.max === max) return;
  showRange({ min, max });
};

const fullRange = () => {
  const all = model.panels.flatMap(({ lines }) => lines.map(line => line.xs[state.axis]));
  const low = Math.min(...all.map(xs => xs[0]));
  const high = Math.max(...all.map(xs => xs[xs.length - 1]));
  return { min: low <= high / 50 ? 0 : low, max: low === high ? high + 1 : high };
};

const makePlot = (panel, box) => {
  const curves = curvesOf(panel);
  const isLog = isLogIn(panel);
  const data = uPlot.join(
    curves.map(({ xs, ys }) => [xs, isLog ? ys.map(y => (y > 0 ? y : null)) : ys]),
  );
  const axis = {
    stroke: css('--ink'),
    grid: { stroke: css('--line'), width: 0.5 },
    ticks: { stroke: css('--line') },
    font: '12px Inter, sans-serif',
    labelFont: '600 12px Inter, sans-serif',
  };
  const options = {
    width: widthOf(box),
    height: heightOf(box),
    legend: { show: false },
    scales: {
      x: { time: false, range: (_, min, max) => [min, max] },
      y: {
        ...(isLog && { distr: 3 }),
        range: (_, min, max) =>
          min === undefined || min === null ? [isLog ? 0.1 : 0, 1] : [min, max],
      },
    },
    cursor: {
      sync: { key, scales: ['x', null] },
      drag: { x: true, y: true, uni: 24 },
      points: { size: 7 },
    },
    axes: [
      {
        ...axis,
        label: isMany ? undefined : axisTitles[state.axis],
        values: nameTicks,
        ...(state.axis === 'block' && { incrs: wholeSteps }),
      },
      {
        ...axis,
        label: panel.unit === '' || isMany ? undefined : panel.unit,
        size: 64,
        values: nameTicks,
        ...(panel.isWhole && !isLog && { incrs: wholeSteps }),
      },
    ],
    series: [{}, ...curves.map(seriesOf)],
    hooks: {
      setScale: [
        (plot, name) => {
          if (name === 'x' && drawn.some(entry => entry.plot === plot)) followRange(plot.scales.x);
        },
      ],
    },
  };
  const plot = new uPlot(options, data, box);
  for (const canvas of box.querySelectorAll('canvas')) canvas.setAttribute('aria-hidden', 'true');
  const entry = { plot, panel, series: curves, box };
  box.onpointermove = event => showTip(entry, event);
  box.onpointerleave = () => (tip.style.display = 'none');
  box.ondblclick = () => resetRange();
  box.onkeydown = event => moveByKey(entry, event);
  return entry;
};

/** Reset the axis of values: from 0 to the panel's top. */
const fitValues = ({ plot, panel }) => {
  const highest = panel.lines
    .filter(({ name }) => !state.hidden.has(name))
    .reduce((most, { ys }) => ys.reduce((a, b) => (b > a ? b : a), most), 0);
  const isLog = isLogIn(panel);
  const max = panel.top === null || state.whole || isLog ? 1.04 * highest : panel.top;
  plot.setScale('y', { min: isLog ? roundDown(lowestOf(panel)) : 0, max: max > 0 ? max : 1 });
};

const resetRange = () => {
  showRange(fullRange());
  drawn.forEach(fitValues);
};

const moveByKey = ({ plot }, event) => {
  const { min, max } = plot.scales.x;
  const width = max - min;
  const moves = {
    ArrowLeft: [min - width / 5, max - width / 5],
    ArrowRight: [min + width / 5, max + width / 5],
    '+': [min + width / 4, max - width / 4],
    '-': [min - width / 2, max + width / 2],
  };
  if (event.key === 'Escape' || event.key === '0') resetRange();
  else if (moves[event.key])
    plot.setScale('x', { min: moves[event.key][0], max: moves[event.key][1] });
  else return;
  event.preventDefault();
};

const draw = () => {
  document.documentElement.dataset.theme = state.theme;
  const before = drawn;
  drawn = [];
  for (const { plot } of before) plot.destroy();
  const boxes = [...panelsBox.querySelectorAll('.plot')];
  drawn = model.panels.map((panel, i) => makePlot(panel, boxes[i]));
  drawn.forEach(fitValues);
  showRange(state.range ?? fullRange());
  drawLegend();
};

const drawLegend = () => {
  const lines = model.panels.flatMap(panel => panel.lines);
  const distinct = lines.filter(({ name }, i) => lines.findIndex(line => line.name === name) === i);
  find('legend').replaceChildren(
    ...distinct.map(line => {
      const button = cell('button', '');
      button.type = 'button';
      button.setAttribute('aria-pressed', String(!state.hidden.has(line.name)));
      const swatch = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      const stroke = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      for (const [name, value] of Object.entries({ width: 34, height: 10, 'aria-hidden': 'true' }))
        swatch.setAttribute(name, String(value));
      for (const [name, value] of Object.entries({
        d: 'M0 5H34',
        stroke: colourOf(line),
        'stroke-width': 3,
        'stroke-dasharray': line.dash.join(' '),
      }))
        stroke.setAttribute(name, String(value));
      swatch.append(stroke);
      button.append(swatch, line.name);
      button.onclick = () => toggle(line.name);
      return button;
    }),
  );
};

const toggle = name => {
  if (!state.hidden.delete(name)) state.hidden.add(name);
  for (const entry of drawn) {
    entry.series.forEach(({ line }, i) => {
      if (line.name === name) entry.plot.setSeries(i + 1, { show: !state.hidden.has(name) });
    });
    fitValues(entry);
  }
  const buttons = [...find('legend').children];
  for (const button of buttons)
    if (button.textContent === name)
      button.setAttribute('aria-pressed', String(!state.hidden.has(name)));
};

const save = (bytes, type, ending) => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = `${model.title.replace(/[^\w.-]+/g, '-')}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

const quoteCell = text => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The visible lines as CSV, a row for each point; strings that a spreadsheet would evaluate get an apostrophe. */
const toCsv = () => {
  const rows = [['panel', 'unit', 'line', state.axis, 'value']];
  for (const { title, unit, lines } of model.panels) {
    for (const line of lines.filter(({ name }) => !state.hidden.has(name))) {
      line.ys.forEach((y, i) =>
        rows.push([title, unit, line.name, String(line.xs[state.axis][i]), String(y)]),
      );
    }
  }
  const guard = text =>
    /^[=+@\t\r-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return rows.map(row => row.map(text => quoteCell(guard(text))).join(',')).join('\n');
};

const escapeXml = text => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`);

/** The visible ranges of all panels as one SVG picture. */
const toSvg = () => {
  const width = 960;
  const height = 300;
  const [left, top, right, bottom] = [70, 34, 16, 40];
  const parts = [];
  drawn.forEach(({ plot, panel, series }, i) => {
    const { x, y } = plot.scales;
    const toX = value => left + ((value - x.min) / (x.max - x.min)) * (width - left - right);
    const isLog = isLogIn(panel);
    const shareOf = value =>
      isLog ? Math.log(value / y.min) / Math.log(y.max / y.min) : (value - y.min) / (y.max - y.min);
    const toY = value => height - bottom - shareOf(value) * (height - top - bottom);
    const inside = ({ xs, ys }) =>
      xs.flatMap((place, k) =>
        place >= x.min && place <= x.max && ys[k] <= y.max && ys[k] >= y.min
          ? [[toX(place).toFixed(1), toY(ys[k]).toFixed(1)]]
          : [],
      );
    parts.push(
      `<g transform="translate(0 ${60 + i * height})"><text x="${left}" y="20" font-weight="600">${escapeXml(panel.title)}${panel.unit === '' ? '' : ` (${escapeXml(panel.unit)})`}</text>`,
    );
    for (let k = 0; k <= 4; k += 1) {
      const value = isLog ? y.min * (y.max / y.min) ** (k / 4) : y.min + ((y.max - y.min) * k) / 4;
      const place = x.min + ((x.max - x.min) * k) / 4;
      parts.push(
        `<path d="M${left} ${toY(value)}H${width - right}" stroke="#ddd"/><text x="${left - 6}" y="${toY(value) + 4}" text-anchor="end" font-size="12">${format(value)}</text>`,
      );
      parts.push(
        `<text x="${toX(place)}" y="${height - bottom + 18}" text-anchor="middle" font-size="12">${format(place)}</text>`,
      );
    }
    for (const curve of series.filter(({ line }) => !state.hidden.has(line.name))) {
      const points = inside(curve);
      const { colour, dash } = curve.line;
      if (curve.isPoints)
        parts.push(
          `<g fill="${curve.line.pale}">${points.map(([px, py]) => `<circle cx="${px}" cy="${py}" r="1.5"/>`).join('')}</g>`,
        );
      else
        parts.push(
          `<polyline fill="none" stroke="${colour}" stroke-width="2"${dash[1] === 0 ? '' : ` stroke-dasharray="${dash.join(' ')}"`} points="${points.join(' ')}"/>`,
        );
    }
    parts.push('</g>');
  });
  const lines = model.panels
    .flatMap(({ lines: each }) => each)
    .filter(
      ({ name }, i, all) =>
        !state.hidden.has(name) && all.findIndex(line => line.name === name) === i,
    );
  const legend = lines.map(
    ({ name, colour }, i) =>
      `<text x="${left + (i % 4) * 220}" y="${80 + drawn.length * height + Math.floor(i / 4) * 20}" fill="${colour}">— ${escapeXml(name)}</text>`,
  );
  const full = 110 + drawn.length * height + Math.floor(lines.length / 4) * 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${full}" viewBox="0 0 ${width} ${full}" font-family="Inter, Helvetica, Arial, sans-serif" font-size="13"><title>${escapeXml(model.title)}</title><desc>${escapeXml(model.notes.join(' '))}</desc><rect width="100%" height="100%" fill="#fff"/><text x="${left}" y="32" font-size="18" font-weight="600">${escapeXml(model.title)}</text>${parts.join('')}${legend.join('')}</svg>`;
};

const savePng = () => {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement('canvas');
    canvas.width = 2 * image.width;
    canvas.height = 2 * image.height;
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(blob => save(blob, 'image/png', 'png'));
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(toSvg())}`;
};

const begin = () => {
  panelsBox.classList.toggle('many', isMany);
  const chooser = find('axis');
  for (const axis of model.axes) {
    const option = cell(
      'option',
      { block: 'by block', time: 'by time', share: 'by share of the run' }[axis],
    );
    option.value = axis;
    chooser.append(option);
  }
  chooser.value = state.axis;
  chooser.onchange = () => {
    state.axis = chooser.value;
    state.range = undefined;
    draw();
  };
  find('reset').onclick = resetRange;
  find('whole').hidden = model.panels.every(({ top }) => top === null);
  find('whole').onclick = event => {
    state.whole = !state.whole;
    event.currentTarget.setAttribute('aria-pressed', String(state.whole));
    drawn.forEach(fitValues);
  };
  const log = find('log');
  const tellScale = () => log.setAttribute('aria-pressed', String(state.log));
  log.onclick = () => {
    state.log = !state.log;
    tellScale();
    draw();
  };
  tellScale();
  const dark = find('dark');
  const tellTheme = () => dark.setAttribute('aria-pressed', String(state.theme === 'dark'));
  dark.onclick = () => {
    state.theme = state.theme === 'dark' ? 'light' : 'dark';
    tellTheme();
    draw();
  };
  tellTheme();
  find('svg').onclick = () => save(toSvg(), 'image/svg+xml', 'svg');
  find('png').onclick = savePng;
  find('csv').onclick = () => save(toCsv(), 'text/csv', 'csv');
  document.documentElement.dataset.theme = state.theme;
  draw();
  new ResizeObserver(() => {
    for (const { plot, box } of drawn) plot.setSize({ width: widthOf(box), height: heightOf(box) });
  }).observe(panelsBox);
  // A canvas does not wait for the font of its labels.
  void Promise.all(['12px Inter', '600 12px Inter'].map(font => document.fonts.load(font))).then(
    () => drawn.forEach(({ plot }) => plot.redraw(false, true)),
  );
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
};

begin();
