import { describeWhere, waitFor } from '@plimsoll/testing';
import { collect } from '../src/index.ts';
import { type FakeServer, startProxy } from './fake-server.ts';
import { atEase, collectorOf, missingForSshd, type Site, setUpSite } from './site.ts';

/** A pull of this size lets the damage occur in every part of it. */
const collector = collectorOf('echo plimsoll-report 1 apt x; head -c 3000 /dev/zero');

describeWhere(missingForSshd, 'a connection that goes wrong anywhere', () => {
  let site: Site;
  let proxy: FakeServer;
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  beforeAll(async () => {
    process.on('uncaughtException', note).on('unhandledRejection', note);
    site = await setUpSite();
    await site.allow(null);
  });
  afterAll(async () => {
    process.off('uncaughtException', note).off('unhandledRejection', note);
    await site?.stop();
  });

  afterEach(() => proxy?.stop());

  /** Bytes in each direction of an undisturbed pull. */
  async function measure(): Promise<Record<'client' | 'server', number>> {
    const bytes = { client: 0, server: 0 };
    proxy = await startProxy(site.sshd.port, (chunk, _before, towards) => {
      bytes[towards] += chunk.length;
    });
    expect((await collect(site.request({ port: proxy.port, collector }), atEase())).kind).toBe('collected');
    await proxy.stop();
    return bytes;
  }

  it.each(['damaged', 'cut'] as const)(
    'is %s: there is a result, no socket stays open, and nothing is thrown',
    async (kind) => {
      const bytes = await measure();
      let target = { towards: 'client' as 'client' | 'server', position: 0 };
      proxy = await startProxy(site.sshd.port, (chunk, before, towards, client) => {
        const offset = target.position - before;
        if (towards !== target.towards || offset < 0 || offset >= chunk.length) return;
        if (kind === 'cut') client.destroy();
        else chunk[offset] = (chunk[offset] ?? 0) ^ 0x10;
      });
      const limits = { connectMs: 400, totalMs: 800, outputBytes: 1_000_000 };
      const kinds = new Set<string>();
      for (const towards of ['client', 'server'] as const) {
        const step = Math.ceil(bytes[towards] / 25);
        for (let position = 0; position < bytes[towards]; position += step) {
          target = { towards, position };
          const result = await collect(site.request({ port: proxy.port, collector, limits }), atEase());
          kinds.add(result.kind === 'failed' ? result.code : result.kind);
          if (result.kind === 'collected') expect(result.output).toHaveLength(3_024);
          else expect(result).toMatchObject({ message: expect.stringMatching(/^[\x20-\x7e]{20,400}$/) });
        }
      }
      await waitFor('the connections to be closed', () => proxy.open === 0);
      await proxy.stop();
      expect(uncaught).toEqual([]);
      expect(kinds).toContain('connect_refused');
      expect(kinds).toContain('command_failed');
    },
  );
});
