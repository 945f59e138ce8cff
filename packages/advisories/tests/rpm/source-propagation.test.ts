import { assessRpm, lines, offer, rpm } from '../rpm-host.ts';
import { advisoryOf } from '../rpm-records.ts';

const source = 'bind-9.11.36-16.el8_10.4.src.rpm';

/** An erratum in AlmaLinux' JSON that ships some builds, all from one source. */
function erratum(builds: readonly (readonly [nevra: string, module?: string])[], src = source): object {
  return {
    id: 'ALSA-2025:1',
    type: 'security',
    severity: 'Important',
    title: 'Important: security update',
    description: '',
    issued_date: { $date: 1_739_000_000_000 },
    references: [{ id: 'CVE-2025-1', type: 'cve' }],
    packages: builds.map(([nevra, module]) => {
      const [, name, epoch, version, release, arch] = /^(.+)-(\d+):([^-]+)-([^-]+)\.(\w+)$/.exec(nevra) ?? [];
      return { name, epoch, version, release, arch, src, ...(module === undefined ? {} : { module }) };
    }),
  };
}

const advisories = [
  advisoryOf('almalinux-errata', erratum([['bind-32:9.11.36-16.el8_10.4.x86_64']]), 'almalinux:8'),
];
const built = (nevra: string, sourceVersion: string, sourceName = 'bind') =>
  rpm(nevra, { sourceName, sourceVersion, vendor: 'AlmaLinux' });
const utils = built('bind-utils-32:9.11.36-14.el8_10.x86_64', '9.11.36-14.el8_10');

describe('an erratum that misses binary packages of its source', () => {
  it('applies to the installed ones, on any architecture', () => {
    const packages = [utils, built('bind-libs-32:9.11.36-14.el8_10.i686', '9.11.36-14.el8_10')];
    expect(lines({ release: 'almalinux:8', packages, advisories })).toEqual([
      'bind-libs.i686 ALSA-2025:1 not_in_repositories',
      'bind-utils.x86_64 ALSA-2025:1 not_in_repositories',
    ]);
  });

  it('gives them a fixed version with epoch, which an offer can satisfy', () => {
    const upgrades = [offer(utils, '32:9.11.36-16.el8_10.4')];
    const { findings } = assessRpm({ release: 'almalinux:8', packages: [utils], advisories, upgrades });
    expect(findings).toMatchObject([
      { name: 'bind-utils', fixedVersion: '32:9.11.36-16.el8_10.4', fixState: 'installable' },
    ]);
    const tooOld = [offer(utils, '32:9.11.36-15.el8_10')];
    expect(lines({ release: 'almalinux:8', packages: [utils], advisories, upgrades: tooOld })).toEqual([
      'bind-utils.x86_64 ALSA-2025:1 not_in_repositories',
    ]);
  });

  it('is named in the evidence', () => {
    const [finding] = assessRpm({ release: 'almalinux:8', packages: [utils], advisories }).findings;
    expect(finding?.evidence.notes).toContainEqual({
      code: 'source_statement',
      detail: expect.stringContaining('ALSA-2025:1'),
    });
  });

  it('does not apply to packages whose source has the fix, of other sources, or of third parties', () => {
    const packages = [
      built('bind-utils-32:9.11.36-16.el8_10.4.x86_64', '9.11.36-16.el8_10.4'),
      built('bind-libs-32:9.11.36-14.el8_10.x86_64', '9.16.0-1.el8', 'bind9.16'),
      { ...built('bind-license-32:9.11.36-14.el8_10.noarch', '9.11.36-14.el8_10'), vendor: 'Somebody' },
    ];
    expect(lines({ release: 'almalinux:8', packages, advisories })).toEqual([]);
  });

  it('judges listed packages only by their own entries', () => {
    const listed = advisoryOf(
      'almalinux-errata',
      erratum([['bind-32:9.11.36-16.el8_10.4.x86_64'], ['bind-utils-32:9.11.36-13.el8_10.x86_64']]),
      'almalinux:8',
    );
    expect(lines({ release: 'almalinux:8', packages: [utils], advisories: [listed] })).toEqual([]);
  });

  it('applies only to the module stream that its source was built in', () => {
    const src = 'perl-5.26.3-422.module_el8.6.0+2766+8bf0b7ce.src.rpm';
    const perl = advisoryOf(
      'almalinux-errata',
      erratum(
        [['perl-4:5.26.3-422.module_el8.6.0+2766+8bf0b7ce.x86_64', 'perl:5.26:8060020220301:abc:x86_64']],
        src,
      ),
      'almalinux:8',
    );
    const installed = (module: string) => ({
      ...built('perl-libs-4:5.26.3-421.module_el8.6.0+1+a.x86_64', '5.26.3-421.module_el8.6.0+1+a', 'perl'),
      module,
    });
    const linesOf = (module: string) =>
      lines({ release: 'almalinux:8', packages: [installed(module)], advisories: [perl] });
    expect(linesOf('perl:5.26:8060020220301:abc')).toHaveLength(1);
    expect(linesOf('perl:5.32:8060020220301:abc')).toEqual([]);
  });

  it('raises no findings on kernel companions', () => {
    const kernel = advisoryOf(
      'almalinux-errata',
      erratum([['kernel-0:4.18.0-553.40.1.el8_10.x86_64']], 'kernel-4.18.0-553.40.1.el8_10.src.rpm'),
      'almalinux:8',
    );
    const packages = ['kernel-tools', 'kernel-headers', 'bpftool', 'python3-perf', 'perf'].map((name) =>
      built(`${name}-4.18.0-553.1.1.el8_10.x86_64`, '4.18.0-553.1.1.el8_10', 'kernel'),
    );
    expect(lines({ release: 'almalinux:8', packages, advisories: [kernel] })).toEqual([]);
  });

  it('is read from the source packages of Rocky’s errata, for architectures without a binary', () => {
    const rocky = advisoryOf('rocky-errata', {
      name: 'RLSA-2025:1',
      type: 'TYPE_SECURITY',
      severity: 'SEVERITY_IMPORTANT',
      synopsis: 'Important: bind security update',
      publishedAt: '2025-02-08T00:00:00Z',
      cves: [{ name: 'CVE-2025-1' }],
      rpms: {
        'Rocky Linux 8': {
          nvras: ['bind-32:9.11.36-16.el8_10.4.src.rpm', 'bind-32:9.11.36-16.el8_10.4.aarch64.rpm'],
        },
      },
    });
    const packages = [{ ...utils, vendor: 'Rocky' }];
    expect(lines({ release: 'rocky:8', packages, advisories: [rocky] })).toEqual([
      'bind-utils.x86_64 RLSA-2025:1 not_in_repositories',
    ]);
  });
});
