import { describeWhere } from '@plimsoll/testing';
import { bare, daemon, installSite, missingForInstall, quick, withCron } from './install-site.ts';

describeWhere(missingForInstall, 'the schedule of the installed agent', () => {
  const site = installSite('install-schedulers');

  it.each([
    ['cron that does not run', `${bare}; ${daemon}`, /NO FURTHER REPORT IS SENT UNTIL CRON IS STARTED/, true],
    [
      'the crond of busybox, which reads no /etc/cron.d',
      `${bare}; mkdir /etc/cron.d; ln -s "$(command -v busybox)" /usr/sbin/crond; crond -f -c /nowhere >/dev/null 2>&1 &`,
      /NO FURTHER REPORT IS SENT AUTOMATICALLY[\s\S]*run --if-due[\s\S]*run --forever/,
      false,
    ],
    [
      'a folder of cron without cron',
      `${bare}; mkdir /etc/cron.d`,
      /NO FURTHER REPORT IS SENT AUTOMATICALLY/,
      false,
    ],
    ['no /proc to look into', `${bare}; ${daemon}; umount -l /proc`, /it is unknown whether cron runs/, true],
  ])('does not promise further reports with %s', async (_, prepare, words, hasTable) => {
    const { status, stdout, stderr } = await site.host.run(
      prepare,
      `${quick}; ${site.install()} || exit; [ ! -e /etc/cron.d/plimsoll-agent ] || echo table`,
    );
    expect([status, stdout]).toEqual([0, hasTable ? 'table\n' : '']);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/cron sends/);
    expect(site.server.reports()).toHaveLength(1);
  });

  it('is started once a day by anacron if that is the only scheduler, and warns', async () => {
    const anacron = 'printf "#!/bin/sh\\n" >/usr/sbin/anacron; chmod 755 /usr/sbin/anacron';
    const { stdout, stderr } = await site.host.run(
      `${bare}; ${anacron}`,
      `${quick}; ${site.install()} || exit; stat -c %a /etc/cron.daily/plimsoll-agent; sh -n /etc/cron.daily/plimsoll-agent`,
    );
    expect(stdout).toBe('755\n');
    expect(stderr).toContain('one report a day, and only on days when something starts anacron');
  });

  it('ignores a systemd or cron that runs outside its chroot', async () => {
    const copyRoot =
      'for each in /*; do if [ -L $each ]; then cp -P $each /inner; elif [ -d $each ] && [ $each != /inner ]; then mkdir /inner$each; mount --rbind $each /inner$each; fi; done';
    const outside = `${withCron}\nmkdir -p /run/systemd/system /inner; ${copyRoot}`;
    const { stderr } = await site.host.run(
      outside,
      `chroot /inner sh -c '${quick}; ${site.install().replaceAll("'", "'\\''")}'`,
    );
    expect(stderr).toContain('NO FURTHER REPORT IS SENT UNTIL CRON IS STARTED');
  });

  it('with --forever, continues after a failed run', async () => {
    const turns =
      'printf "#!/bin/sh\\necho turn >>/tmp/turns; [ \\$(wc -l </tmp/turns) -lt 3 ] || kill \\$PPID\\n"';
    const { stdout } = await site.host.run(
      `${bare}; ${quick}; ${site.install()}; mkdir /quick; ${turns} >/quick/sleep; chmod 755 /quick/sleep; touch /tmp/turns; chmod 666 /tmp/turns; rm /usr/bin/curl /usr/bin/wget`,
      `PATH=/quick:$PATH plimsoll-agent run --forever 2>&1; cat /tmp/turns`,
    );
    expect(stdout.match(/curl or GNU wget is needed/g)).toHaveLength(3);
  });

  it('with --forever, ends when it is uninstalled', async () => {
    const { status, stdout, stderr } = await site.host.run(
      `${bare}; ${quick}; ${site.install()}`,
      `plimsoll-agent run --forever >/dev/null 2>&1 & until pgrep -u plimsoll-agent sleep >/dev/null; do :; done
plimsoll-agent uninstall && ! pgrep -u plimsoll-agent; ! id plimsoll-agent 2>&1`,
    );
    expect(status).toBe(0);
    expect(stderr).toContain('uninstalled; the server keeps');
    expect(stdout).toMatch(/no such user/);
  });

  it('is started by cron without systemd, at random minutes of each host', async () => {
    const { stdout } = await site.host.run(
      `${withCron}
${quick}; ${site.install()}`,
      'cat /etc/cron.d/plimsoll-agent',
    );
    expect(stdout).toMatch(
      /^SHELL=\/bin\/sh\n([0-9]|1[0-4])-59\/15 \* \* \* \* root \/usr\/local\/sbin\/plimsoll-agent run --if-due 2>&1 \| logger -t plimsoll-agent\n$/,
    );
  });
});
