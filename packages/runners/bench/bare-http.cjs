// The least that a process can do to answer HTTP: what a role's start-up is compared with.
const server = require('node:http').createServer((_request, response) => response.end('{}'));
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
