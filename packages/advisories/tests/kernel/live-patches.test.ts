import { assessHost, type PackageSummary, summarisePackage } from '../../src/index.ts';
import { isLoaded, livePatchOf } from '../../src/kernel/running-kernel.ts';
import { countHost } from '../host/count-host.ts';
import { assessedRpm, rpm } from '../rpm-host.ts';
import { advisoryOf, update } from '../rpm-records.ts';

/** Whether a kernel runs with the patch in a package, according to the client. */
function runs(name: string, version: string, runningRelease: string, livepatch: string): boolean {
  const patch = livePatchOf(name, version);
  return patch !== null && isLoaded(patch, { runningRelease, livepatch });
}

describe('the live patch in a package', () => {
  it.each([
    [
      'kpatch-patch-5_14_0-503_11_1',
      '0:1-2.el9_5',
      '5.14.0-503.11.1.el9_5.x86_64',
      'kpatch_5_14_0_503_11_1_1_2',
    ],
    ['kpatch-patch-3_10_0-1062', '1-1.el7', '3.10.0-1062.el7.x86_64', 'kpatch_3_10_0_1062_1_1'],
    [
      'kernel-livepatch-5.10.102-99.473',
      '1.0-0.amzn2',
      '5.10.102-99.473.amzn2.x86_64',
      'kpatch_5_10_102_99_473_1_0_0',
    ],
    ['kgraft-patch-4_12_14-120-default', '3-2.1', '4.12.14-120-default', 'kpatch_4_12_14_120_default_3_2_1'],
  ])('%s %s runs with its kernel once its module is enabled', (name, version, release, module) => {
    expect(runs(name, version, release, `${module} [enabled]`)).toBe(true);
    expect(runs(name, version, release, `other [enabled], ${module} [enabled]`)).toBe(true);
    expect(runs(name, version, release, `${module} [disabled]`)).toBe(false);
    expect(runs(name, version, release, `${module}_1 [enabled]`)).toBe(false);
    expect(runs(name, version, release, '')).toBe(false);
  });

  it('does not run with another kernel, even of the same version', () => {
    const loaded = 'kpatch_5_14_0_503_1_2 [enabled]';
    expect(runs('kpatch-patch-5_14_0-503', '1-2.el9_5', '5.14.0-503.el9.x86_64', loaded)).toBe(true);
    expect(runs('kpatch-patch-5_14_0-503', '1-2.el9_5', '5.14.0-503.11.1.el9_5.x86_64', loaded)).toBe(false);
  });

  it.each([
    'kpatch',
    'kpatch-runtime',
    'kernel-livepatch-repo-cdn',
    'kernel-livepatch-tools',
    'kpatch-patch',
  ])('%s has none', (name) => {
    expect(livePatchOf(name, '1-1.el9')).toBeNull();
  });
});

describe('a host with a package of live patches', () => {
  const kernel = '5.14.0-503.11.1.el9_5';
  const fix = '5.14.0-503.20.1.el9_5';
  const names = ['CVE-2025-0001', 'CVE-2025-0002'];
  const about = (id: string, cves: readonly string[]) =>
    advisoryOf(
      'almalinux-updateinfo',
      update(id, [`kernel-core-${fix}.x86_64`], {
        references: cves.map((cve) => ({ href: '', id: cve, title: cve, type: 'cve' })),
      }),
      'almalinux:9',
    );
  const module = 'kpatch_5_14_0_503_11_1_1_2 [enabled]';
  const host = (closes: readonly string[], livepatch: string, livepatchedCves: readonly string[] = []) => {
    const subject = assessedRpm({
      release: 'almalinux:9',
      packages: [rpm(`kernel-core-${kernel}.x86_64`), rpm('kpatch-patch-5_14_0-503_11_1-1-2.el9_5.x86_64')],
      advisories: [about('ALSA-1', names.slice(0, 1)), about('ALSA-2', names)],
      running: `${kernel}.x86_64`,
      livepatchedCves,
    });
    return {
      ...subject,
      packages: subject.packages.map((one) => (one.name.startsWith('kpatch') ? { ...one, closes } : one)),
      facts: { ...subject.facts, kernel: { ...subject.facts.kernel, livepatch } },
    };
  };
  const states = (subject: ReturnType<typeof host>) =>
    assessHost(subject).findings.flatMap(({ advisories }) =>
      advisories.map(({ statement, fixState }) => `${statement.externalId} ${fixState}`),
    );

  it('has its CVEs livepatched, an advisory only if all of its CVEs are', () => {
    const open = 'not_in_repositories';
    expect(states(host(names.slice(0, 1), module))).toEqual(['ALSA-1 livepatched', `ALSA-2 ${open}`]);
    expect(states(host(names, module))).toEqual(['ALSA-1 livepatched', 'ALSA-2 livepatched']);
    expect(states(host(names.slice(1), module, names.slice(0, 1)))).toEqual([
      'ALSA-1 livepatched',
      'ALSA-2 livepatched',
    ]);
  });

  it('has none livepatched while the module is not loaded', () => {
    expect(states(host(names, ''))).toEqual(['ALSA-1 not_in_repositories', 'ALSA-2 not_in_repositories']);
  });

  it('names the package as evidence', () => {
    expect(assessHost(host(names.slice(0, 1), module)).findings[0]?.evidence.notes).toContainEqual({
      code: 'livepatched',
      detail: 'kpatch-patch-5_14_0-503_11_1 1-2.el9_5, loaded: CVE-2025-0001',
    });
    const notes = assessHost(host(names, '')).findings[0]?.evidence.notes ?? [];
    expect(notes.map(({ code }) => code)).not.toContain('livepatched');
  });

  it('has the same actions in the fast count', () => {
    for (const closes of [[], names.slice(0, 1), names]) {
      const subject = host(closes, module);
      const summaries: readonly PackageSummary[] = subject.packages.map(summarisePackage);
      const { grounds, counts } = assessHost(subject);
      const { totals } = countHost({ ...subject, packages: summaries, runningKernel: null });
      expect(totals).toMatchObject({ grounds, counts });
      expect(grounds.includes('blocked_fix')).toBe(closes.length < 2);
    }
  });
});
