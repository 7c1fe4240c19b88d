// The house as a web page: GET / is the page, GET /events streams the changes, POST
// /wish?degrees=21 sets the wished temperature.

import http from 'node:http';
import { fileURLToPath, URLSearchParams } from 'node:url';
import { run } from 'swingset-runner/reactor';
import { House } from './room.js';

const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Room</title>
<main><h1>Room: <output id="now">…</output> °C</h1>
<label>Wished for <input id="wish" type="number" min="5" max="30" value="20"> °C</label></main>
<script>
  new EventSource('/events').onmessage = ({ data }) => (now.textContent = JSON.parse(data).degrees);
  wish.onchange = () => fetch('/wish?degrees=' + wish.value, { method: 'POST' });
</script>`;

/** Run the house and make a server that does not listen yet; closing the server ends the house. */
export const makeServer = (options = {}) => {
  const viewers = new Set();
  const house = new House(seen => {
    for (const viewer of viewers) viewer.write(`data: ${JSON.stringify(seen)}\n\n`);
  });
  const ended = run(house, { keepalive: true, ...options });

  const server = http.createServer((request, response) => {
    // Not by URL, which throws for a path such as `//`.
    const [pathname, query] = request.url.split('?');
    const searchParams = new URLSearchParams(query);
    if (pathname === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      viewers.add(response);
      response.on('close', () => viewers.delete(response));
    } else if (pathname === '/wish' && request.method === 'POST') {
      const degrees = Number(searchParams.get('degrees'));
      const isFit = searchParams.has('degrees') && degrees >= 5 && degrees <= 30;
      if (isFit) house.panel.wished.schedule(0, degrees);
      response.writeHead(isFit ? 204 : 400).end();
    } else if (pathname === '/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    } else {
      response.writeHead(404).end();
    }
  });
  server.on('close', () => house.util.requestStop());
  return { server, ended };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { server } = makeServer();
  const port = Number(process.env.PORT ?? 3000);
  server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
}
