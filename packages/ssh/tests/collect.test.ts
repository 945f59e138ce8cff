import { existsSync } from 'node:fs';
import path from 'node:path';
import { describeWhere, waitFor } from '@plimsoll/testing';
import { type CollectResult, collect, generateKeyPair } from '../src/index.ts';
import { atEase, collectorOf, hello, helloReport, missingForSshd, type Site, setUpSite } from './site.ts';

const outputOf = (result: CollectResult) =>
  result.kind === 'collected' ? result.output.toString('latin1') : JSON.stringify(result);

describeWhere(missingForSshd, 'collecting from a real sshd', () => {
  let site: Site;
  beforeAll(async () => {
    site = await setUpSite({}, '/bin/bash');
  });
  afterAll(() => site?.stop());
  beforeEach(() => site.allow(null));

  const run = (text: string, changes = {}) =>
    collect(site.request({ collector: collectorOf(text), ...changes }), atEase());

  it("returns the report, the host's key and that no line pins it", async () => {
    const result = await collect(site.request(), atEase());
    expect(result).toMatchObject({
      kind: 'collected',
      pinned: false,
      identity: 0,
      address: '127.0.0.1',
      hostKey: { type: 'ssh-ed25519', fingerprint: site.sshd.hostKeys[0]?.fingerprint },
    });
    expect(outputOf(result)).toBe(helloReport(site.login.user));
  });

  it('works the same with the line, and returns that it is pinned', async () => {
    await site.allow(hello);
    const result = await collect(site.request(), atEase());
    expect(result).toMatchObject({ kind: 'collected', pinned: true });
    expect(outputOf(result)).toBe(helloReport(site.login.user));
  });

  it('returns the collector that a line pins if it is another', async () => {
    const older = collectorOf('echo plimsoll-report 1 apt older');
    await site.allow(older);
    expect(await collect(site.request(), atEase())).toMatchObject({
      kind: 'pin',
      sha256: older.sha256,
      identity: 0,
    });
    expect(outputOf(await collect(site.request({ collector: older }), atEase()))).toBe(
      'plimsoll-report 1 apt older\n',
    );
  });

  it('does not mistake a refused request for a line with another pin', async () => {
    await site.sshd.setAuthorizedKeys(
      `command="echo plimsoll-pin ${hello.sha256}; exit 78" ${site.publicLine}\n`,
    );
    expect(await collect(site.request(), atEase())).toMatchObject({
      kind: 'failed',
      code: 'command_failed',
      mayHeal: false,
      message: expect.stringMatching(/refused the very collector .* reads standard input/),
    });
  });

  it('tries the previous key if the current one is not installed yet', async () => {
    const result = await collect(site.request({ identities: [generateKeyPair(), site.pair] }), atEase());
    expect(result).toMatchObject({ kind: 'collected', identity: 1 });
  });

  it('keeps the bytes of a report unchanged', async () => {
    const result = await run("printf 'plimsoll-report 1 apt x\\n\\000\\377\\r\\n\\r'");
    expect(outputOf(result)).toBe('plimsoll-report 1 apt x\n\0\xff\r\n\r');
  });

  it('collects many mebibytes', async () => {
    const result = await run('echo plimsoll-report 1 apt x; head -c 8000000 /dev/zero');
    expect(outputOf(result)).toHaveLength(8_000_024);
  });

  it.each([
    ['prints nothing', 'true', /printed nothing instead/],
    ['prints something else', 'echo welcome', /printed "welcome" instead/],
    ['fails', 'echo plimsoll-report; echo "no\u001b[31m good" >&2; exit 3', /status 3 \("no\[31m good"\)/],
    ['fails silently', 'exit 9', /status 9: /],
    ['fails in a shell that is not ours', 'printf "one\\n\\033]0;two\\007\\n" >&2; exit 1', /\("\]0;two"\)/],
    ['is killed', 'kill -KILL $$', /(ended by SIGKILL|status 137)/],
    ['uses the status of a refusal', 'echo plimsoll-pin nonsense; exit 78', /status 78/],
  ])('says what happened when the collector %s', async (_what, text, message) => {
    expect(await run(text)).toEqual({
      kind: 'failed',
      code: 'command_failed',
      mayHeal: false,
      message: expect.stringMatching(message),
      hostKey: expect.anything(),
      address: '127.0.0.1',
    });
  });

  it.each(['yes', 'yes >&2'])(
    'drops a collector with endless output of "%s", and the connection',
    async (flood) => {
      const changes = { limits: { connectMs: 20_000, totalMs: 30_000, outputBytes: 3_000_000 } };
      expect(await run(`echo plimsoll-report 1 apt x; ${flood}`, changes)).toMatchObject({
        kind: 'failed',
        code: 'output_too_large',
        mayHeal: false,
      });
      await waitFor('the end of the command', async () => (await site.sshd.sessions()).length === 0);
    },
  );

  it('is not confused by a login that floods standard error', async () => {
    await site.allow(hello);
    const noisy = await run('head -c 3000000 /dev/zero >&2; echo plimsoll-report 1 apt x');
    expect(noisy).toMatchObject({ kind: 'pin' });
    await site.allow(null);
    expect(await run('head -c 3000000 /dev/zero >&2; echo plimsoll-report 1 apt x')).toMatchObject({
      kind: 'collected',
      pinned: false,
    });
  });

  it('ends after its total time', async () => {
    const changes = { limits: { connectMs: 20_000, totalMs: 1_000, outputBytes: 1_000 } };
    expect(await run('sleep 30', changes)).toMatchObject({ kind: 'failed', code: 'timeout', mayHeal: false });
  });

  it('reports a connection that is lost midway, which may heal', async () => {
    const mark = path.join(site.login.home, `started-${process.pid}`);
    const pull = run(`echo plimsoll-report 1 apt x; touch ${mark}; sleep 30`);
    await waitFor('the collector to run', () => existsSync(mark));
    expect(await site.sshd.dropSessions()).toBeGreaterThan(0);
    expect(await pull).toMatchObject({ kind: 'failed', code: 'command_failed', mayHeal: true });
    await collect(site.request({ collector: collectorOf(`rm ${mark}`) }), atEase());
  });

  it('rejects with the reason whenever it is aborted', async () => {
    const reason = new Error('the host was deleted');
    for (const afterMs of [0, 1, 5, 20, 40, 80]) {
      const controller = new AbortController();
      const pull = collect(site.request({ collector: collectorOf('sleep 30') }), {
        ...atEase(),
        signal: controller.signal,
      });
      setTimeout(() => controller.abort(reason), afterMs);
      await expect(pull).rejects.toBe(reason);
    }
    await expect(collect(site.request(), { ...atEase(), signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });

  it('runs fifty sessions at once', async () => {
    const pulls = Array.from({ length: 50 }, () => collect(site.request(), atEase()));
    const outputs = (await Promise.all(pulls)).map(outputOf);
    expect(new Set(outputs)).toEqual(new Set([helloReport(site.login.user)]));
  });
});
