// The least that a hop can be: a `node:http` server that calls its peers in turn with undici, then answers. A process
// without peers does not load the client, as a service behind a sidecar does not.
const { createServer } = require('node:http');

let peers = [];
const server = createServer(async (_request, response) => {
  for (const peer of peers) {
    const { body } = await peer.request({ path: '/', method: 'POST', body: '{}' });
    await body.dump();
  }
  response.end('{}');
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.stdin.once('data', (line) => {
  const urls = JSON.parse(line);
  if (urls.length > 0) {
    const { Client } = require('undici');
    peers = urls.map((url) => new Client(url));
  }
  process.stdout.write('ready\n');
});
