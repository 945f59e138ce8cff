import { existsSync } from 'node:fs';
import { describeWhere } from '@plimsoll/testing';
import { type CollectResult, collect } from '../src/index.ts';
import { atEase, collectorOf, hello, helloReport, missingForAccounts, type Site, setUpSite } from './site.ts';

const outputOf = (result: CollectResult) =>
  result.kind === 'collected' ? result.output.toString('latin1') : JSON.stringify(result);

describeWhere(missingForAccounts, 'collecting from odd accounts', () => {
  let site: Site;
  beforeAll(async () => {
    site = await setUpSite();
    await site.allow(hello);
  });
  afterAll(() => site?.stop());

  it.each(['line', 'plain key'])(
    'drops what a login shell prints before the report, with the %s',
    async (form) => {
      const greeting =
        'echo Welcome; printf "not a plimsoll-report 1\\nno newline at the end: "; echo; echo oh >&2\n';
      const login = await site.addLogin('/bin/bash', { '.bashrc': greeting });
      await site.allow(form === 'line' ? hello : null);
      const pinned = form === 'line';
      const result = await collect(site.request({ user: login.user }), atEase());
      expect(result).toMatchObject({ kind: 'collected', pinned });
      expect(outputOf(result)).toBe(helloReport(login.user));
      const older = collectorOf('echo plimsoll-report 1 apt older');
      if (pinned) {
        expect(await collect(site.request({ user: login.user, collector: older }), atEase())).toMatchObject({
          kind: 'pin',
          sha256: hello.sha256,
        });
      }
    },
  );

  it('quotes an account that may not log in', async () => {
    const login = await site.addLogin('/usr/sbin/nologin');
    expect(await collect(site.request({ user: login.user }), atEase())).toMatchObject({
      kind: 'failed',
      code: 'command_failed',
      message: expect.stringMatching(/This account is currently not available/),
    });
  });

  it.each(
    ['/bin/tcsh', '/usr/bin/fish', '/bin/zsh', '/bin/ksh', '/bin/dash'].filter((shell) => existsSync(shell)),
  )('works with %s, with the line and without it', async (shell) => {
    const login = await site.addLogin(shell);
    for (const pin of [hello, null]) {
      await site.allow(pin);
      const result = await collect(site.request({ user: login.user }), atEase());
      expect(result).toMatchObject({ kind: 'collected', pinned: pin !== null });
      expect(outputOf(result)).toBe(helloReport(login.user));
    }
  });
});
