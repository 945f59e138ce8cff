import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

const { PLIMSOLL_API_TLS_CERT_FILE: certFile, PLIMSOLL_API_TLS_KEY_FILE: keyFile } = process.env;

const answer = (request, response) => {
  if (request.url === '/environment') {
    const settings = Object.entries(process.env).filter(([name]) => name.startsWith('PLIMSOLL_'));
    response.end(JSON.stringify({ pid: process.pid, settings: Object.fromEntries(settings) }));
  } else if (request.url === '/end') {
    response.end('', () => process.exit(3));
  } else {
    response.writeHead(['/readyz', '/api/v1/setup/status'].includes(request.url) ? 200 : 404).end();
  }
};
const server =
  certFile === undefined
    ? createServer(answer)
    : createTlsServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, answer);
server.listen(Number(process.env.PLIMSOLL_API_PORT), process.env.PLIMSOLL_API_HOST);

const stop = () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
};
process.once('SIGTERM', stop);
process.once('disconnect', stop);
