import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWhere, missingCommands, newFolder } from '@plimsoll/testing';
import { AgentHost } from './agent-host.ts';
import { AgentServer } from './agent-server.ts';
import { makeAuthority, type PrivateAuthority } from './private-authority.ts';

describeWhere(missingCommands('openssl', 'curl'), 'the agent and a server’s certificate', () => {
  const folder = newFolder('tls');
  let authority: PrivateAuthority;
  let server: AgentServer;
  let host: AgentHost;

  beforeAll(async () => {
    authority = await makeAuthority(folder);
  });
  beforeEach(async () => {
    server = await AgentServer.start(authority.server);
    host = new AgentHost();
  });
  afterEach(async () => {
    await server.stop();
    host.remove();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('sends nothing to a server whose certificate is not signed by a known authority', async () => {
    writeFileSync(path.join(host.folder, '.curlrc'), 'insecure\n');
    const result = await host.agent(['enroll', server.origin], { PLIMSOLL_TOKEN: 'plr_token' });
    expect(result).toMatchObject({ status: 1, stderr: expect.stringMatching(/certificate/) });
    expect(server.requests).toEqual([]);
  });

  it('accepts the certificate of a private authority, and keeps a copy for later runs', async () => {
    const env = { PLIMSOLL_TOKEN: 'plr_token', PLIMSOLL_CA_FILE: authority.file };
    expect((await host.agent(['enroll', server.origin], env)).status).toBe(0);
    expect((await host.agent(['run'])).status).toBe(0);
    expect(server.to('/api/v1/agent/snapshots')).toHaveLength(1);
  });

  it('accepts it by a relative path', async () => {
    const env = {
      PLIMSOLL_TOKEN: 'plr_token',
      PLIMSOLL_CA_FILE: path.relative(process.cwd(), authority.file),
    };
    expect((await host.agent(['enroll', server.origin], env)).status).toBe(0);
  });

  it('sends nothing to a server of another name, with any certificate', async () => {
    const env = { PLIMSOLL_TOKEN: 'plr_token', PLIMSOLL_CA_FILE: authority.file };
    const other = server.origin.replace('127.0.0.1', 'localhost');
    const result = await host.agent(['enroll', other], env);
    expect(result).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/127\.0\.0\.1|localhost|certificate/),
    });
    expect(server.requests).toEqual([]);
  });

  it('removes the authority when it enrols again without one', async () => {
    const env = { PLIMSOLL_TOKEN: 'plr_token', PLIMSOLL_CA_FILE: authority.file };
    await host.agent(['enroll', server.origin], env);
    expect(host.kept('ca.pem')).toContain('BEGIN CERTIFICATE');
    const plain = await AgentServer.start();
    expect(
      (await host.agent(['enroll', '--again', plain.origin], { PLIMSOLL_TOKEN: 'plr_token' })).status,
    ).toBe(0);
    expect(host.kept('ca.pem')).toBeNull();
    await plain.stop();
  });

  it('reports that the authority’s file cannot be read', async () => {
    const env = { PLIMSOLL_TOKEN: 'plr_token', PLIMSOLL_CA_FILE: '/nowhere/ca.pem' };
    const result = await host.agent(['enroll', server.origin], env);
    expect(result).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('cannot read /nowhere/ca.pem'),
    });
  });
});
