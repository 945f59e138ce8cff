import { lines, rpm } from '../../rpm-host.ts';
import { advisoryOf } from '../../rpm-records.ts';

const release = 'rocky:8';

/** An erratum of Satellite, which ships one binary package of libdb, for some architectures. */
function erratum(...architectures: readonly string[]) {
  const nvras = ['src', ...architectures].map((name) =>
    name === 'src' ? 'libdb-5.3.28-42.el8_4.src.rpm' : `libdb-cxx-0:5.3.28-42.el8_4.${name}.rpm`,
  );
  return advisoryOf('rocky-errata', {
    name: 'RLSA-2022:5498',
    type: 'TYPE_SECURITY',
    severity: 'SEVERITY_IMPORTANT',
    synopsis: 'Important: Satellite 6.11 Release',
    description: '',
    publishedAt: '2022-07-05T00:00:00Z',
    cves: [{ name: 'CVE-2022-1' }],
    rpms: { 'Rocky Linux 8': { nvras } },
  });
}

const built = (architecture: string, name = 'libdb') =>
  rpm(`${name}-5.3.28-40.el8.${architecture}`, { sourceName: 'libdb', vendor: 'Rocky' });
const packages = [built('x86_64'), built('i686'), built('noarch', 'libdb-doc'), built('aarch64')];

describe('the source of a Rocky erratum', () => {
  it('says nothing of packages that the erratum leaves out on an architecture that it lists', () => {
    expect(lines({ release, packages, advisories: [erratum('x86_64')] })).toEqual([
      'libdb.aarch64 RLSA-2022:5498 not_in_repositories',
    ]);
  });

  it('applies to an architecture for which the erratum lists no binary', () => {
    expect(lines({ release, packages, advisories: [erratum('aarch64')] })).toEqual([
      'libdb-doc.noarch RLSA-2022:5498 not_in_repositories',
      'libdb.i686 RLSA-2022:5498 not_in_repositories',
      'libdb.x86_64 RLSA-2022:5498 not_in_repositories',
    ]);
  });
});
