/** The health check of the image: exits with 0 when the role answers on its control port. */
'use strict';
const http = require('node:http');

const port = process.argv[2] || 8081;
const request = http.get({ host: '127.0.0.1', port, path: '/health', timeout: 2000 }, ({ statusCode }) => {
  process.exit(statusCode === 200 ? 0 : 1);
});
request.on('timeout', () => process.exit(1));
request.on('error', () => process.exit(1));
