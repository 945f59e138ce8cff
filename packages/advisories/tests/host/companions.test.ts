import type { PackageVersionId, Release, Statement } from '@plimsoll/model';
import {
  type AssessedPackage,
  assessHost,
  classifyCompanion,
  companionsOf,
  matchVersion,
  type PackageSubject,
  verdictOf,
} from '../../src/index.ts';
import { assessed, bookworm, installed, kernelImage, noKernelFacts, statement } from '../debian-host.ts';
import { assessedRpm, offer, rpm } from '../rpm-host.ts';
import { advisoryOf, rpmStatements, update } from '../rpm-records.ts';

const alma = 'almalinux:9' as Release;
const old = '5.14.0-427.13.1.el9_4';
const fixed = '5.14.0-427.20.1.el9_4';
const advisories = [
  advisoryOf(
    'almalinux-updateinfo',
    update(
      'ALSA-1',
      ['kernel-core', 'kernel-tools', 'perf'].map((name) => `${name}-${fixed}.x86_64`),
    ),
    alma,
  ),
];
const built = (name: string, version = old) =>
  rpm(`${name}-${version}.x86_64`, { sourceName: 'kernel', sourceVersion: version });

/** A companion as it is stored, with the statements that affect it. */
function companion(
  subject: PackageSubject,
  release: Release,
  statements: readonly Statement[],
): AssessedPackage {
  const own = classifyCompanion(subject, release);
  const version = {
    ...subject,
    release,
    matchKey: own.kind === 'comparable' ? own.key : null,
    verdict: verdictOf(own),
  };
  return {
    ...subject,
    verdict: version.verdict,
    id: 500 as PackageVersionId, // A row's number.
    statements: matchVersion(version, statements, () => false),
    release,
    folded: [],
  };
}

const ofAlma = (subject: ReturnType<typeof rpm>) =>
  companion(subject, alma, rpmStatements(advisories, alma, subject.name, subject.sourceName));

describe('a kernel companion', () => {
  const tools = built('kernel-tools');
  const host = (rest: Partial<Parameters<typeof assessedRpm>[0]> = {}) =>
    assessedRpm({
      release: alma,
      packages: [built('kernel-core'), tools],
      advisories,
      running: `${old}.x86_64`,
      ...rest,
    });

  it('is listed with its own advisories and names the kernel, and is in no finding and no count', () => {
    const subject = host();
    expect(companionsOf(subject, [ofAlma(tools)])).toMatchObject([
      {
        name: 'kernel-tools',
        severity: 'important',
        fixedVersion: fixed,
        advisories: [{ statement: { externalId: 'ALSA-1' } }],
        evidence: {
          notes: expect.arrayContaining([
            { code: 'moves_with_kernel', detail: expect.stringContaining(`kernel-core ${old} is checked`) },
          ]),
        },
      },
    ]);
    expect(assessHost(subject)).toMatchObject({
      counts: { important: 1 },
      findings: [{ name: 'kernel-core' }],
    });
  });

  it('says whether its own update is offered', () => {
    const state = (upgrades: Parameters<typeof host>[0]) =>
      companionsOf(host(upgrades), [ofAlma(tools)]).map(({ fixState }) => fixState);
    expect(state({ upgrades: [offer(tools, fixed)] })).toEqual(['installable']);
    expect(state({ upgrades: [offer(built('kernel-core'), fixed)] })).toEqual(['not_in_repositories']);
  });

  it('is not listed at the fixed version, and not if no advisory names it', () => {
    expect(companionsOf(host(), [ofAlma(built('perf', fixed)), ofAlma(built('kernel-devel'))])).toEqual([]);
  });

  it('does not claim that a kernel counts in its place where none is checked', () => {
    const [row] = companionsOf(host({ virtualization: 'podman' }), [ofAlma(tools)]);
    expect(row?.evidence.notes.at(-1)?.detail).toMatch(/^no kernel of this host is checked/);
  });

  it('of Debian is compared by its source', () => {
    const headers = installed('linux-headers-6.1.0-28-common', '6.1.119-1', { name: 'linux' });
    const image = kernelImage('6.1.0-28-amd64', '6.1.119-1');
    const statements = [statement('CVE-2024-1', '6.1.123-1'), statement('CVE-2024-2', '6.1.112-1')];
    const subject = assessed({
      packages: [image, headers],
      statements: { linux: statements },
      kernel: {
        ...noKernelFacts,
        runningRelease: '6.1.0-28-amd64',
        runningVersion: '#1 SMP Debian 6.1.119-1 (2024-11-22)',
      },
    });
    const rows = companionsOf(subject, [companion(headers, bookworm, statements)]);
    expect(rows.map(({ name, advisories: of }) => [name, of.map((one) => one.statement.externalId)])).toEqual(
      [['linux-headers-6.1.0-28-common', ['CVE-2024-1']]],
    );
  });
});
