import { createServer } from 'node:http';

const server = createServer((request, response) => {
  if (request.url === '/environment') {
    const settings = Object.entries(process.env).filter(([name]) => name.startsWith('PLIMSOLL_'));
    response.end(JSON.stringify({ pid: process.pid, settings: Object.fromEntries(settings) }));
  } else if (request.url === '/end') {
    response.end('', () => process.exit(3));
  } else {
    response.writeHead(['/readyz', '/api/v1/setup/status'].includes(request.url) ? 200 : 404).end();
  }
});
server.listen(Number(process.env.PLIMSOLL_API_PORT), process.env.PLIMSOLL_API_HOST);

const stop = () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
};
process.once('SIGTERM', stop);
process.once('disconnect', stop);
