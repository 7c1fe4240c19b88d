// The script of a diagram's page: the zoom, and the source of a part at a click or by Enter.

const { files, places } = JSON.parse(document.getElementById('data').textContent);
const picture = document.querySelector('.picture');
const svg = picture.querySelector('svg');
const full = svg.viewBox.baseVal.width;
let scale = 1;

const zoomTo = next => {
  scale = Math.min(8, Math.max(0.1, next));
  svg.setAttribute('width', String(full * scale));
  svg.removeAttribute('height');
};
const fit = () => zoomTo(Math.min(1.5, (picture.clientWidth - 2) / full));

document.getElementById('in').addEventListener('click', () => zoomTo(scale * 1.25));
document.getElementById('out').addEventListener('click', () => zoomTo(scale / 1.25));
document.getElementById('fit').addEventListener('click', fit);
fit();

const where = document.getElementById('where');
const source = document.getElementById('source');

const open = part => {
  const [file, line] = places[part.dataset.open];
  where.textContent = `${file}:${line}`;
  source.replaceChildren(
    ...files[file].split('\n').map((text, i) => {
      const row = document.createElement('span');
      row.dataset.line = String(i + 1);
      row.textContent = text === '' ? ' ' : text;
      if (i + 1 === line) {
        row.className = 'here';
        row.setAttribute('aria-current', 'location');
      }
      return row;
    }),
  );
  source.parentElement.hidden = false;
  const here = source.querySelector('.here');
  if (here !== null) source.scrollTop = here.offsetTop - source.offsetTop - 60;
};

picture.addEventListener('click', event => {
  const part = event.target.closest('[data-open]');
  if (part !== null) open(part);
});
picture.addEventListener('keydown', event => {
  const part = event.target.closest('[data-open]');
  if (part === null || (event.key !== 'Enter' && event.key !== ' ')) return;
  event.preventDefault();
  open(part);
});
