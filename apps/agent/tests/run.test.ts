import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeHeader, readEnvelope } from '@plimsoll/reports';
import { AgentHost } from './agent-host.ts';
import { AgentServer, type ReceivedRequest } from './agent-server.ts';
import { readReport, sectionOf, valuesOf } from './report-text.ts';
import { shells } from './shells.ts';

const snapshots = '/api/v1/agent/snapshots';
const { version } = JSON.parse(readFileSync(path.resolve(__dirname, '../package.json'), 'utf8')) as {
  version: string;
};
let server: AgentServer;
let host: AgentHost;

beforeEach(async () => {
  server = await AgentServer.start();
  host = new AgentHost();
});
afterEach(async () => {
  await server.stop();
  host.remove();
});

/** The content of a snapshot request; throws if it is not a Snapshot with a report. */
function snapshotIn(request: ReceivedRequest | undefined) {
  if (request === undefined) throw new Error('no snapshot came');
  const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(request.body) : request.body;
  const envelope = readEnvelope(bytes);
  if (envelope.kind !== 'envelope') throw new Error(envelope.detail);
  const text = Buffer.from(envelope.report).toString('latin1');
  return { envelope, text, report: readReport(text) };
}

function snapshotsSent() {
  return server.to(snapshots).map(snapshotIn);
}

describe('a report', () => {
  it.each(shells)('is sent by $name as a Snapshot with its time, version and text', async ({ command }) => {
    const inShell = new AgentHost(command);
    await inShell.enroll(server.origin);
    expect(await inShell.agent(['run'])).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const [request] = server.to(snapshots);
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer plh_first-Token_0123456789',
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
    });
    const { envelope, report } = snapshotIn(request);
    expect(envelope).toMatchObject({ hasReport: true, hasStructured: false });
    const decoded = decodeHeader(envelope.header, { receivedAt: new Date() });
    const [collectedAt = ''] = valuesOf(sectionOf(report, 'observed'), 'collected_at');
    expect(decoded).toMatchObject({
      kind: 'header',
      header: { collectedAt: new Date(Number(collectedAt) * 1000), collectorVersion: version },
    });
    expect(report.heading).toBe(`plimsoll-report 1 apt ${version}`);
    inShell.remove();
  });

  it.each(shells)('of any size is sent whole by $name', async ({ command }) => {
    const inShell = new AgentHost(command);
    await inShell.enroll(server.origin);
    for (const lines of [1, 150, 20_000]) {
      const line =
        'Inst a-package [1.0-1] (1.0-2 Debian:12/stable [amd64]) and some bytes \\\\351 that are no UTF-8, and more and more';
      inShell.addTools({
        'apt-get': `i=0; while [ $i -lt ${lines} ]; do i=$((i + 1)); printf '%b\\n' '${line}'; done`,
      });
      await inShell.agent(['run']);
      const sent = snapshotsSent().at(-1);
      expect(sectionOf(sent?.report ?? readReport(''), 'apt-upgrade').lines).toHaveLength(lines);
    }
    inShell.remove();
  });

  it('is not sent if it could not be compressed', async () => {
    await host.enroll(server.origin);
    host.addTools({ gzip: 'exit 1' });
    const failed = await host.agent(['run']);
    expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('cannot write') });
    expect(server.to(snapshots)).toEqual([]);
  });

  it('is printed by `report`, and not sent', async () => {
    const { status, stdout } = await host.agent(['report']);
    expect(status).toBe(0);
    expect(sectionOf(readReport(stdout), 'dpkg').lines).toHaveLength(3);
    expect(existsSync(host.state)).toBe(false);
  });

  it('appears in `status` after it was received', async () => {
    await host.enroll(server.origin);
    await host.agent(['run']);
    const { status, stdout } = await host.agent(['status']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/last report sent: .* as snapshot-1, queued/);
    expect(stdout).toContain('every 7200 seconds');
  });
});

describe('an unreachable server', () => {
  it('is tried five times, with growing waits, and gets the report later', async () => {
    await host.enroll(server.origin);
    server.behave(snapshots, 'cut');
    expect(await host.agent(['run'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is kept'),
    });
    expect(server.to(snapshots)).toHaveLength(5);
    const [first = 0, second = 0, third = 0, fourth = 0, ...more] = host.waits();
    expect(more).toEqual([]);
    for (const [wait, longest] of [
      [first, 20],
      [second, 40],
      [third, 80],
      [fourth, 160],
    ] as const) {
      expect(wait).toBeGreaterThanOrEqual(longest / 2);
      expect(wait).toBeLessThan(longest);
    }
    expect(await host.agent(['status'])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('waits to be sent'),
    });

    server.behave(snapshots, { status: 202, body: { snapshot_id: 'later', status: 'queued' } });
    host.addTools({ 'apt-get': 'echo collected again' });
    expect((await host.agent(['run', '--if-due'])).status).toBe(0);
    const sent = snapshotsSent();
    expect(sent.at(-1)?.text).toBe(sent[0]?.text);
    expect(host.kept('unsent.gz')).toBeNull();
    expect((await host.agent(['status'])).status).toBe(0);
  });

  it('gets only the newest report', async () => {
    await host.enroll(server.origin);
    server.behave(snapshots, 'cut');
    await host.agent(['run']);
    host.addTools({ 'apt-get': 'echo newest' });
    server.behave(snapshots, { status: 202, body: { snapshot_id: 'x', status: 'queued' } });
    await host.agent(['run']);
    expect(server.to(snapshots)).toHaveLength(6);
    expect(sectionOf(snapshotIn(server.to(snapshots)[5]).report, 'apt-upgrade').lines).toEqual(['newest']);
  });

  it.each([408, 429, 500, 502, 503])('is tried again after %d', async (status) => {
    await host.enroll(server.origin);
    server.behave(snapshots, { status }, { status: 202, body: { snapshot_id: 'x', status: 'queued' } });
    expect((await host.agent(['run'])).status).toBe(0);
    expect(server.to(snapshots)).toHaveLength(2);
  });

  it('is tried again after the seconds of Retry-After', async () => {
    await host.enroll(server.origin);
    server.behave(snapshots, { status: 503, headers: { 'Retry-After': '120' } }, { status: 202 });
    expect((await host.agent(['run'])).status).toBe(0);
    const [wait = 0] = host.waits();
    expect(wait).toBeGreaterThanOrEqual(120);
    expect(wait).toBeLessThan(140);
  });

  it('is not tried again before a long Retry-After, over several runs', async () => {
    await host.enroll(server.origin);
    server.behave(snapshots, { status: 429, headers: { 'Retry-After': '7200' } });
    expect(await host.agent(['run'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('7200 seconds'),
    });
    expect(host.waits()).toEqual([]);
    expect((await host.agent(['run', '--if-due'])).status).toBe(0);
    expect(server.to(snapshots)).toHaveLength(1);

    writeFileSync(path.join(host.state, 'not-before'), `${Math.floor(Date.now() / 1000) - 1}\n`);
    server.behave(snapshots, { status: 202 });
    expect((await host.agent(['run', '--if-due'])).status).toBe(0);
    expect(server.to(snapshots)).toHaveLength(2);
    expect(host.kept('unsent.gz')).toBeNull();
  });

  it('may send a Retry-After that is not a number of seconds', async () => {
    await host.enroll(server.origin);
    server.behave(
      snapshots,
      { status: 503, headers: { 'Retry-After': 'Fri, 31 Dec 2100 23:59:59 GMT' } },
      { status: 202 },
    );
    expect((await host.agent(['run'])).status).toBe(0);
    expect(host.waits()[0]).toBeLessThan(20);
  });
});

describe('an answer without end', () => {
  it.each(shells)('is not stored by $name, and counts as none', async ({ command }) => {
    const inShell = new AgentHost(command);
    await inShell.enroll(server.origin);
    server.behave(snapshots, 'endless', { status: 202, body: { snapshot_id: 'later', status: 'queued' } });
    const { status, stderr } = await inShell.agent(['run']);
    expect([status, stderr]).toEqual([
      0,
      'plimsoll-agent: attempt 1: no answer from the server: what came is longer than 1 MB \n',
    ]);
    expect(server.mostSent()).toBeLessThan(20_000_000);
    expect(inShell.kept('sent')).toContain('as later, queued');
    inShell.remove();
  });
});

describe('a server that refuses', () => {
  it.each([
    [401, 'whose token it does not know'],
    [409, 'whose host is retired'],
  ])('%i: stops an agent %s, which `status` shows', async (status) => {
    await host.enroll(server.origin);
    server.behave(snapshots, { status });
    expect(await host.agent(['run'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('revoked, or the host was deleted'),
    });
    expect(await host.agent(['run', '--if-due'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('stopped'),
    });
    expect(server.to(snapshots)).toHaveLength(1);
    expect(await host.agent(['status'])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('STOPPED'),
    });

    server.behave(snapshots, { status: 202 });
    await host.enroll(server.origin);
    expect((await host.agent(['run'])).status).toBe(0);
    expect((await host.agent(['status'])).status).toBe(0);
  });

  it.each([400, 413, 415, 422])(
    'gets a refused report only once, and `status` shows the refusal: %d',
    async (status) => {
      await host.enroll(server.origin);
      server.behave(snapshots, { status, body: { detail: 'the reason' } });
      expect(await host.agent(['run'])).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('the reason'),
      });
      expect((await host.agent(['run', '--if-due'])).status).toBe(0);
      expect(server.to(snapshots)).toHaveLength(1);
      expect((await host.agent(['status'])).stdout).toContain('the reason');
    },
  );

  it('is not followed to another address', async () => {
    const other = await AgentServer.start();
    await host.enroll(server.origin);
    server.behave(snapshots, { status: 307, headers: { Location: `${other.origin}${snapshots}` } });
    expect(await host.agent(['run'])).toMatchObject({ status: 1, stderr: expect.stringContaining('307') });
    expect(other.requests).toEqual([]);
    await other.stop();
  });
});

describe('--if-due', () => {
  it('waits for the server’s interval', async () => {
    await host.enroll(server.origin);
    await host.agent(['run', '--if-due']);
    await host.agent(['run', '--if-due']);
    expect(server.to(snapshots)).toHaveLength(1);
    expect(host.kept('interval')).toBe('7200');
    const now = Math.floor(Date.now() / 1000);
    for (const [ago, sent] of [
      [6800, 1],
      [6950, 2],
      [-90_000, 3],
    ] as const) {
      writeFileSync(path.join(host.state, 'collected'), `${now - ago}\n`);
      await host.agent(['run', '--if-due']);
      expect(server.to(snapshots)).toHaveLength(sent);
    }
  });

  it('keeps its interval if the server’s answer is invalid', async () => {
    await host.enroll(server.origin);
    server.behave('/api/v1/agent/config', { status: 200, body: { report_interval_seconds: 'PATH' } });
    expect((await host.agent(['run'])).status).toBe(0);
    expect(host.kept('interval')).toBe('3600');
  });

  it('reports a newer agent, and does not install it', async () => {
    await host.enroll(server.origin);
    server.behave('/api/v1/agent/config', {
      status: 200,
      body: { report_interval_seconds: 3600, newest_agent_version: '9.9.9' },
    });
    await host.agent(['run']);
    expect((await host.agent(['status'])).stdout).toContain('the server has version 9.9.9');
    expect(server.requests.map(({ path: asked }) => asked)).toEqual([
      '/api/v1/agent/register',
      snapshots,
      '/api/v1/agent/config',
    ]);
  });
});

it('uses the proxy of the enrolment', async () => {
  const proxy = await AgentServer.start();
  for (const [asked, behaviours] of [...server.behaviours])
    proxy.behave(`${server.origin}${asked}`, ...behaviours);
  const enrolment = await host.agent(['enroll', server.origin], {
    PLIMSOLL_TOKEN: 'plr_token',
    http_proxy: proxy.origin,
  });
  expect(enrolment.status).toBe(0);
  expect((await host.agent(['run', '--if-due'])).status).toBe(0);
  expect(proxy.to(`${server.origin}${snapshots}`)).toHaveLength(1);
  expect(server.requests).toEqual([]);
  await proxy.stop();
});

describe('two runs at once', () => {
  it('do not overlap: the second one fails', async () => {
    await host.enroll(server.origin);
    mkdirSync(path.join(host.state, 'lock'));
    writeFileSync(path.join(host.state, 'lock', 'process'), `${process.pid}\n`);
    expect(await host.agent(['run'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('under way'),
    });
    expect(server.to(snapshots)).toEqual([]);
  });

  it('do not block each other if the first was killed', async () => {
    await host.enroll(server.origin);
    mkdirSync(path.join(host.state, 'lock'));
    writeFileSync(path.join(host.state, 'lock', 'process'), '999999999\n');
    expect((await host.agent(['run'])).status).toBe(0);
    expect(existsSync(path.join(host.state, 'lock'))).toBe(false);
  });
});

it('runs only on an enrolled host', async () => {
  expect(await host.agent(['run'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('not enrolled'),
  });
  expect(await host.agent(['status'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('not enrolled'),
  });
});

it('prints its usage, and rejects an unknown command', async () => {
  expect((await host.agent(['help'])).stdout).toContain('plimsoll-agent uninstall');
  expect(await host.agent(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
  expect(await host.agent(['nonsense'])).toMatchObject({ status: 64, stdout: '' });
  await host.enroll(server.origin);
  expect(await host.agent(['run', '--fast'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('unknown option'),
  });
});
