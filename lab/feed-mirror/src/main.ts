/**
 * `npm run feed-mirror -- [--records N] [--prose N] [--port N] [--proxy-port N] [--fault FAULT…]`: serves every feed in
 * its public layout on loopback until it is stopped.
 */
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { feedLayouts } from './layouts/registry.ts';
import { faultUsage, readFault } from './serving/read-fault.ts';
import { startMirror } from './serving/start-mirror.ts';

const usage = `usage: npm run feed-mirror -- [--records N] [--prose N] [--port N] [--proxy-port N] [--fault FAULT]...

Serves every feed in its public layout on loopback until it is stopped.
--records     records per feed (200)
--prose       characters of text per record (300)
--port        port of the mirror, 0 for a free one (0)
--proxy-port  port of the proxy for public addresses, 0 for a free one (0)
--fault       ${faultUsage}; repeatable
`;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const values = readArguments();
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const faults = values.fault.map((text) => {
  const fault = readFault(text);
  if (fault === null) {
    process.stderr.write(`"${text}" is no fault: ${faultUsage}\n`);
    process.exit(64);
  }
  return fault;
});
const mirror = await startMirror({
  layouts: feedLayouts,
  volume: { records: Number(values.records), proseCharacters: Number(values.prose) },
  ports: { tls: Number(values.port), proxy: Number(values['proxy-port']) },
});
for (const fault of faults) mirror.faults.add(fault);
const authority = path.join(tmpdir(), `plimsoll-feed-mirror-${process.pid}.pem`);
await writeFile(authority, mirror.authority);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void mirror.stop().then(() => process.exit(0)));
say(`NODE_EXTRA_CA_CERTS=${authority}`);
say(`PLIMSOLL_FEEDS_BASE_URL=${mirror.baseUrl}`);
say(`or, with public addresses: PLIMSOLL_FEEDS_PROXY=${mirror.proxyUrl}`);
for (const host of mirror.hosts) say(`serves https://${host}/`);

function readArguments() {
  try {
    return parseArgs({
      options: {
        records: { type: 'string', default: '200' },
        prose: { type: 'string', default: '300' },
        port: { type: 'string', default: '0' },
        'proxy-port': { type: 'string', default: '0' },
        fault: { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(64);
  }
}
