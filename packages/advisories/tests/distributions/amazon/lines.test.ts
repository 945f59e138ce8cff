import { lines, offer, rpm } from '../../rpm-host.ts';
import { advisoryOf, update } from '../../rpm-records.ts';

describe('Amazon Linux 2', () => {
  const kernel = advisoryOf(
    'amazon-updateinfo',
    update('ALAS2KERNEL-5.10-2022-001', ['kernel-5.10.200-190.747.amzn2.x86_64']),
  );
  const php = advisoryOf(
    'amazon-updateinfo',
    update('ALAS2PHP8.1-2023-001', ['php-cli-8.1.20-1.amzn2.x86_64']),
  );

  it('judges a kernel by the advisories of its own upstream line', () => {
    const at = (version: string) =>
      lines({
        release: 'amazon:2',
        packages: [rpm(`kernel-${version}.x86_64`)],
        advisories: [kernel],
        running: `${version}.x86_64`,
      });
    expect(at('4.14.336-253.554.amzn2')).toEqual([]);
    expect(at('5.10.100-1.1.amzn2')).toEqual(['kernel.x86_64 ALAS2KERNEL-5.10-2022-001 not_in_repositories']);
  });

  it.each([
    [['5.15.180-108.170.amzn2'], 'fix_published'],
    [['5.10.150-1.1.amzn2'], 'not_in_repositories'],
    [['5.10.200-190.747.amzn2'], 'installable'],
    [['5.15.180-108.170.amzn2', '5.10.201-1.amzn2'], 'installable'],
  ])('counts offers of kernels %j as a fix of line 5.10 only if they are of it: %s', (versions, state) => {
    const installed = rpm('kernel-5.10.100-1.1.amzn2.x86_64');
    const upgrades = versions.map((version) => offer(installed, version));
    const running = '5.10.100-1.1.amzn2.x86_64';
    expect(
      lines({ release: 'amazon:2', packages: [installed], advisories: [kernel], running, upgrades }),
    ).toEqual([`kernel.x86_64 ALAS2KERNEL-5.10-2022-001 ${state}`]);
  });

  it('counts an offer of php 8.2 as no fix of php 8.1', () => {
    const installed = rpm('php-cli-8.1.2-1.amzn2.x86_64');
    const at = (version: string) =>
      lines({
        release: 'amazon:2',
        packages: [installed],
        advisories: [php],
        upgrades: [offer(installed, version)],
      });
    expect(at('8.2.9-1.amzn2')).toEqual(['php-cli.x86_64 ALAS2PHP8.1-2023-001 fix_published']);
    expect(at('8.1.27-1.amzn2')).toEqual(['php-cli.x86_64 ALAS2PHP8.1-2023-001 installable']);
  });

  it('judges a package of the extras by the advisories of its own topic', () => {
    const at = (version: string) =>
      lines({ release: 'amazon:2', packages: [rpm(`php-cli-${version}.x86_64`)], advisories: [php] });
    expect(at('5.4.16-46.amzn2.0.5')).toEqual([]);
    expect(at('8.1.2-1.amzn2')).toEqual(['php-cli.x86_64 ALAS2PHP8.1-2023-001 not_in_repositories']);
  });
});

describe('Oracle’s own kernels', () => {
  it('of another line are no fix of the running one', () => {
    const advisories = [
      advisoryOf(
        'oracle-updateinfo',
        update('ELSA-2025-1', ['kernel-uek-5.4.17-2136.340.4.el8uek.x86_64']),
        'oracle:8',
      ),
    ];
    const installed = rpm('kernel-uek-5.4.17-2136.300.1.el8uek.x86_64');
    const at = (version: string) =>
      lines({
        release: 'oracle:8',
        packages: [installed],
        advisories,
        running: '5.4.17-2136.300.1.el8uek.x86_64',
        upgrades: [offer(installed, version)],
      });
    expect(at('5.15.0-300.163.18.el8uek')).toEqual(['kernel-uek.x86_64 ELSA-2025-1 fix_published']);
    expect(at('5.4.17-2136.341.3.el8uek')).toEqual(['kernel-uek.x86_64 ELSA-2025-1 installable']);
  });
});
