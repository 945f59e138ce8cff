import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { parseReport } from '@plimsoll/reports';
import { describeWhere, missingCommands, newFolder, privateHost } from '@plimsoll/testing';
import { buildScripts } from './built-scripts.ts';
import { writeTools } from './fake-tools.ts';
import { asNobody, makeHang, waiting, writePull } from './pulled-collector.ts';
import { type Report, readReport, sectionOf, valuesOf } from './report-text.ts';
import { makeRpmHost, missingForRpmHost, prepareRpmHost } from './rpm-host.ts';

describeWhere(missingForRpmHost(), 'the collector on a real rpm host', () => {
  const folder = newFolder('rpm');
  const host = privateHost(folder);

  beforeAll(async () => {
    buildScripts(folder);
    writePull(folder);
    await makeRpmHost(folder);
    mkdirSync(`${folder}/fake`);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Consecutive reports of a host after `change` has changed it. */
  async function collect(change = '', commands = 'sh /host/collector-rpm.sh'): Promise<readonly Report[]> {
    const { stdout } = await host.run(`${prepareRpmHost()}\n${change}`, commands);
    return stdout.split(/(?=^plimsoll-report )/m).map(readReport);
  }

  async function collectOne(change = '', command?: string): Promise<Report> {
    const [report] = await collect(change, command);
    if (report === undefined) throw new Error('nothing was printed');
    return report;
  }

  describe('without any failure', () => {
    let report: Report;
    beforeAll(async () => {
      report = await collectOne();
    });

    it('reports every package with epoch, source, vendor and module', () => {
      const { lines, exit } = sectionOf(report, 'rpm');
      expect(exit).toBe(0);
      const columns = lines.map((line) => line.split('\t'));
      expect(new Set(columns.map((row) => row.length))).toEqual(new Set([10]));
      expect(columns.map((row) => row.slice(0, 5).join(' ')).sort()).toEqual([
        'almalinux-release (none) 9.4 1.el9 x86_64',
        'bash (none) 5.1.8 9.el9 x86_64',
        'held (none) 1 1 x86_64',
        'java-17-openjdk-headless-slowdebug-with-a-name-that-fills-a-terminal 1 17.0.11.0.9 2.el9 x86_64',
        'kernel-core (none) 5.14.0 427.13.1.el9_4 x86_64',
        'kernel-core (none) 5.14.0 503.11.1.el9_5 x86_64',
        'openssl-libs 1 3.0.7 27.el9 x86_64',
        'perl-libs 4 5.32.1 473.module_el8.6.0+2770+3b0c3b0c x86_64',
        'python3-unbound (none) 1.16.2 3.el9 x86_64',
        'tzdata (none) 2024a 1.el9 noarch',
      ]);
      const perl = columns.find(([name]) => name === 'perl-libs')?.slice(5);
      expect(perl).toEqual([
        'perl-libs-5.32.1-473.module_el8.6.0+2770+3b0c3b0c.src.rpm',
        'AlmaLinux',
        'perl:5.32:8060020211126131201:9fe1d287',
        expect.stringMatching(/^\d{10}$/),
        '(none)',
      ]);
    });

    it('reports the updates that dnf offers, in unwrapped rows', () => {
      const { lines, exit } = sectionOf(report, 'updates');
      expect(exit).toBe(100);
      expect(lines[0]).toBe('tool\tdnf');
      expect(lines.map((line) => line.split(/ +/)).filter((words) => words.length === 3)).toEqual([
        [
          expect.stringContaining('java-17'),
          '1:17.0.13.0.11-4.el9_5.with.a.release.as.long.as.the.name',
          'baseos',
        ],
        ['kernel-core.x86_64', '5.14.0-503.14.1.el9_5', 'baseos'],
        ['openssl-libs.x86_64', '1:3.0.7-28.el9_4', 'baseos'],
        ['perl-libs.x86_64', '4:5.32.1-474.module_el8.6.0+2771+4c0c3b0c', 'baseos'],
      ]);
    });

    it('reports locks and excludes, and the updates available without them', () => {
      expect(sectionOf(report, 'locks')).toEqual({
        lines: ['held-0:1-1.*', 'excludepkgs=tzdata'],
        said: [],
        exit: 0,
      });
      const names = sectionOf(report, 'updates-held').lines.map((line) => line.split(/[. ]/)[0]);
      expect(names).toEqual(expect.arrayContaining(['held', 'tzdata', 'openssl-libs']));
    });

    it('reports which advisories the repositories publish for the updates', () => {
      const { lines, exit } = sectionOf(report, 'advisories');
      expect(exit).toBe(0);
      expect(lines.join('\n')).toMatch(
        /ALSA-2024:2447 Important\/Sec\. openssl-libs-1:3\.0\.7-28\.el9_4\.x86_64/,
      );
    });

    it('reports only enabled module streams', () => {
      expect(sectionOf(report, 'modules').lines).toEqual(['perl\t5.32']);
    });

    it('reports the repositories without changing values', () => {
      const { lines, exit, said } = sectionOf(report, 'repositories');
      expect(exit).toBe(0);
      expect(lines.join('\n')).toMatch(/^Repo-id +: baseos$/m);
      expect([...lines, ...said].join('\n')).not.toMatch(/expir|updated|ago|s3cr3t/i);
    });

    it('reports when each repository was fetched', () => {
      const [row = ''] = valuesOf(sectionOf(report, 'observed'), 'refreshed');
      const [repository, seconds] = row.split('\t');
      expect(repository).toBe('baseos');
      expect(Math.abs(Number(seconds) - Date.now() / 1000)).toBeLessThan(600);
    });

    it('reports the answer of needs-restarting', () => {
      const reboot = sectionOf(report, 'reboot');
      expect(valuesOf(reboot, 'needs-restarting')).toEqual(['0']);
      expect(valuesOf(reboot, 'says')).toContain('Reboot should not be necessary.');
      expect(valuesOf(sectionOf(report, 'platform'), 'architecture')).toEqual(['x86_64']);
    });
  });

  it('prints the same report twice, except for its observations', async () => {
    const [first, second] = await collect(
      '',
      'sh /host/collector-rpm.sh; sleep 1.1; sh /host/collector-rpm.sh',
    );
    expect(second?.content).toBe(first?.content);
  });

  it('reads the same as an unprivileged user as root does, except other users’ processes, and writes no file', async () => {
    const listing = 'find /changed /tmp /var/tmp/* | grep -v "^/changed/var/tmp$" | sort';
    const { stdout } = await host.run(
      prepareRpmHost(),
      `sh /host/collector-rpm.sh; echo @@@; ${listing}; echo @@@; ${asNobody} sh /host/collector-rpm.sh; echo @@@; ${listing}`,
    );
    const [root = '', before, user = '', after] = stdout.split('@@@\n');
    const [ofRoot, ofUser] = [readReport(root), readReport(user)];
    for (const [name, section] of ofRoot.sections) {
      const { said: _, ...answer } = section;
      if (name !== 'observed' && name !== 'deleted-files')
        expect(sectionOf(ofUser, name)).toMatchObject(answer);
    }
    expect(sectionOf(ofUser, 'deleted-files').exit).toBe(1);
    expect(after).toBe(before);
  });

  it('changes nothing as root', async () => {
    // SQLite's shared memory for readers: every `rpm -q` by root changes it.
    const listing = 'find /changed -type f ! -name rpmdb.sqlite-shm -exec stat -c "%n %Y %s" {} + | sort';
    const { stdout } = await host.run(
      prepareRpmHost(),
      `${listing} >/tmp/before\nsleep 1.1\nsh /host/collector-rpm.sh >/dev/null\n${listing} | diff /tmp/before - && echo unchanged`,
    );
    expect(stdout).toBe('unchanged\n');
  });

  it('does not report a never fetched repository as one without updates', async () => {
    const report = await collectOne('rm -rf /var/cache/dnf/*');
    const { lines, said, exit } = sectionOf(report, 'updates');
    expect(exit).toBe(1);
    expect(lines.filter((line) => line.includes('.x86_64'))).toEqual([]);
    expect(said.join('\n')).toMatch(/no cache for 'baseos'/);
    expect(valuesOf(sectionOf(report, 'observed'), 'refreshed')).toEqual([]);
  });

  it('reports the date of dnf’s copy, even if a newer one was published', async () => {
    const publish = (revision: number) => `createrepo_c --quiet --update --revision ${revision} /tmp/mirror`;
    const [behind, again, fetched] = await collect(
      `cp -r /host/baseos /tmp/mirror; ${publish(1_790_000_000)}
      sed -i s,/host/baseos,/tmp/mirror, /etc/yum.repos.d/host.repo; rm -rf /var/cache/dnf; dnf -q makecache`,
      `sh /host/collector-rpm.sh; ${publish(1_795_000_000)}; sh /host/collector-rpm.sh
      dnf -q makecache --refresh; sh /host/collector-rpm.sh`,
    );
    const published = (report: Report | undefined) =>
      report === undefined
        ? []
        : valuesOf(sectionOf(report, 'observed'), 'refreshed').map((row) => row.split('\t')[2]);
    expect([behind, again, fetched].map(published)).toEqual([['1790000000'], ['1790000000'], ['1795000000']]);
    expect(again?.content).toBe(behind?.content);
  });

  it('reports the updates of the other repositories if one was never fetched', async () => {
    const another = "printf '[extra]\\nname=Extra\\nbaseurl=file:///nowhere\\n' >/etc/yum.repos.d/extra.repo";
    const { lines, said, exit } = sectionOf(
      await collectOne(another, `${asNobody} sh /host/collector-rpm.sh`),
      'updates',
    );
    expect(exit).toBe(1);
    expect(lines.filter((line) => line.endsWith(' baseos'))).toHaveLength(4);
    expect(said.join('\n')).toMatch(/no cache for 'extra'/);
  });

  it('reports that no update is available', async () => {
    const upgrade = 'rpm -U --nodeps --justdb --nosignature --nodigest --force /host/baseos/*.rpm';
    const { lines, exit } = sectionOf(await collectOne(upgrade), 'updates');
    expect(exit).toBe(0);
    expect(lines.filter((line) => line.includes('baseos'))).toEqual([]);
  });

  it('reports imported keys as rpm lists them, as packages', async () => {
    const key = 'gpg --homedir /tmp --export-options export-minimal --armor --export >/tmp/key.asc';
    const makeKey =
      "gpg --homedir /tmp --batch --pinentry-mode loopback --passphrase '' --quick-generate-key test@example.org rsa2048 default never";
    const missing = missingCommands('gpg');
    if (missing.length > 0) {
      process.stderr.write('NOT TESTED: gpg-pubkey entries. This machine lacks gpg.\n');
      return;
    }
    const report = await collectOne(`${makeKey}; ${key}; rpm --import /tmp/key.asc`);
    expect(sectionOf(report, 'rpm').lines.some((line) => line.startsWith('gpg-pubkey\t(none)\t'))).toBe(true);
  });

  it('reports a dnf that hangs as a failure of its sections, and continues', async () => {
    writeTools(`${folder}/fake`, {
      timeout: 'shift 3; exec /usr/bin/timeout -k 1 0.5 "$@"',
      dnf: 'echo begun; sleep 600 & wait',
    });
    const report = await collectOne('', 'PATH=/host/fake:$PATH sh /host/collector-rpm.sh');
    for (const name of ['updates', 'advisories', 'repositories']) {
      expect([name, sectionOf(report, name).exit]).toEqual([name, 124]);
    }
    expect(sectionOf(report, 'rpm').exit).toBe(0);
    expect(valuesOf(sectionOf(report, 'reboot'), 'needs-restarting')).toEqual(['124']);
  });

  it('reports a missing package manager, and the rest', async () => {
    const report = await collectOne('rm /usr/bin/dnf /usr/bin/dnf-3');
    expect(sectionOf(report, 'updates')).toMatchObject({
      exit: 127,
      said: ['this host has no dnf, yum or zypper'],
    });
    expect(sectionOf(report, 'rpm').exit).toBe(0);
  });

  it('reports that rpm is missing', async () => {
    const report = await collectOne('rm /usr/bin/rpm');
    expect(sectionOf(report, 'rpm').exit).toBe(127);
    expect(sectionOf(report, 'os-release').exit).toBe(0);
  });

  it('prints no colours, and what a transaction that was cut off and a damaged header leave', async () => {
    writeFileSync(
      `${folder}/damage.py`,
      `import sqlite3
database = sqlite3.connect('/var/lib/rpm/rpmdb.sqlite')
database.execute("UPDATE Packages SET blob = zeroblob(56) WHERE hnum IN (SELECT hnum FROM Name WHERE key = 'tzdata')")
database.commit()`,
    );
    const change = `echo color=always >>/etc/dnf/dnf.conf
      rpm -i --force --nodeps --justdb --nosignature --nodigest --ignorearch --ignoreos /host/baseos/openssl-libs-*.rpm
      /usr/bin/python3 /host/damage.py`;
    const { stdout } = await host.run(`${prepareRpmHost()}\n${change}`, 'sh /host/collector-rpm.sh');
    const report = readReport(stdout);
    expect(sectionOf(report, 'updates').lines.join('')).not.toContain('?[');
    const parsed = parseReport(stdout, { receivedAt: new Date() });
    if (parsed.kind !== 'snapshot') throw new Error(JSON.stringify(parsed.errors));
    const { broken, failures } = parsed.snapshot;
    expect(broken).toEqual([
      {
        name: 'openssl-libs',
        architecture: 'x86_64',
        version: '1:3.0.7-27.el9',
        state: 'duplicate',
        otherVersion: '1:3.0.7-28.el9_4',
      },
    ]);
    expect(failures.filter(({ section }) => section === 'packages')).toEqual([
      { section: 'packages', detail: expect.stringContaining('skipping h#') },
    ]);
  });

  it('runs yum if the host has no dnf', async () => {
    writeTools(`${folder}/fake`, {
      yum: `case "$*" in
        '-C --color=never check-update') echo 'Loaded plugins: fastestmirror'; echo; echo 'bash.x86_64  4.2.46-35.el7_9  updates'; exit 100 ;;
        '-C --color=never repolist -v') printf '%s\\n' 'Repo-id      : base/7/x86_64' 'Repo-updated : Thu Oct 29 2020' \\
          'Repo-mirrors : http://mirrorlist.example.org/' 'Repo-baseurl : http://a.example.org/ (9 more)' ;;
        *) echo "$*" ;;
      esac`,
      'needs-restarting': 'echo "Core libraries or services have been updated:"; exit 1',
    });
    const cache = '/var/cache/yum/x86_64/7/base';
    const report = await collectOne(
      `rm /usr/bin/dnf /usr/bin/dnf-3; cp /host/fake/yum /host/fake/needs-restarting /usr/local/bin/
       mkdir -p ${cache}; echo x >${cache}/cachecookie`,
    );
    expect(sectionOf(report, 'updates').lines).toEqual([
      'tool\tyum',
      'Loaded plugins: fastestmirror',
      '',
      'bash.x86_64  4.2.46-35.el7_9  updates',
    ]);
    expect(sectionOf(report, 'advisories').lines).toContain('-C --color=never updateinfo list');
    expect(sectionOf(report, 'repositories').lines).toEqual([
      'tool\tyum',
      'Repo-id      : base/7/x86_64',
      'Repo-mirrors : http://mirrorlist.example.org/',
    ]);
    expect(valuesOf(sectionOf(report, 'reboot'), 'needs-restarting')).toEqual(['1']);
    expect(valuesOf(sectionOf(report, 'observed'), 'refreshed')[0]).toMatch(/^base\t\d+\t$/);
  });

  it('prints the same in a pull over SSH as by hand', async () => {
    const [pulled, byHand] = await collect(
      'rm /usr/bin/dpkg-query',
      `${waiting} sh /host/pull sh; ${asNobody} sh /host/collector-rpm.sh; settled`,
    );
    expect(pulled?.heading).toBe(byHand?.heading);
    expect(pulled?.content).toBe(byHand?.content);
    expect(pulled?.content).toContain('\n@updates\n tool\tdnf\n');
  });

  it('leaves nothing after a hang-up of a pull, not even the folder that dnf creates', async () => {
    const { stdout } = await host.run(
      `${prepareRpmHost()}\nrm /usr/bin/dpkg-query; ${makeHang('/usr/bin/dnf-3', 'mkdir /var/tmp/dnf-nobody-1a2b3c4d')}`,
      `${waiting} setsid sh /host/pull sh >/tmp/report &
      begun
      ls -d /var/tmp/dnf-*
      kill -HUP -$!
      settled; ls /var/tmp`,
    );
    expect(stdout).toBe('/var/tmp/dnf-nobody-1a2b3c4d\n');
  });

  it('runs subscription-manager as root, and never asks for a password', async () => {
    writeTools(`${folder}/fake`, { 'subscription-manager': 'echo "asked for $1"; exit 1' });
    const [asRoot, asUser] = await collect(
      'cp /host/fake/subscription-manager /usr/local/bin/',
      `sh /host/collector-rpm.sh; ${asNobody} sh /host/collector-rpm.sh`,
    );
    expect(asRoot?.sections.get('subscription')).toEqual({
      lines: ['asked for identity', 'asked for release'],
      said: [],
      exit: 1,
    });
    expect(asUser?.sections.get('subscription')).toMatchObject({ lines: [], exit: 77 });
  });
});
