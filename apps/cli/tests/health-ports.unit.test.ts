import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { readConfig } from '@plimsoll/config';
import { serviceApps } from '@plimsoll/model';
import { findHealthPorts } from '../src/service/health-ports.ts';

it('numbers the workers from the setting on, and says which have no free port', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listens on TCP
  const from = async (first: number) => {
    const env = { PLIMSOLL_CONFIG: '', PLIMSOLL_WORKER_HEALTH_PORT: String(first) };
    return findHealthPorts(await readConfig({ env, configPath: null, projectDir: __dirname }), serviceApps);
  };
  const taken = await from(port);
  expect(taken.of).not.toHaveProperty('report-worker');
  expect(taken.warnings).toEqual([expect.stringContaining(`report-worker (${port})`)]);
  server.close();
  await once(server, 'close');
  expect(await from(port)).toMatchObject({ of: { 'report-worker': port } });
  expect((await from(65_535)).warnings).toEqual([expect.stringContaining('advisory-worker (65536)')]);
});
