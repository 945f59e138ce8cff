import { lines, rpm } from '../../rpm-host.ts';
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

  it('judges a package of the extras by the advisories of its own topic', () => {
    const at = (version: string) =>
      lines({ release: 'amazon:2', packages: [rpm(`php-cli-${version}.x86_64`)], advisories: [php] });
    expect(at('5.4.16-46.amzn2.0.5')).toEqual([]);
    expect(at('8.1.2-1.amzn2')).toEqual(['php-cli.x86_64 ALAS2PHP8.1-2023-001 not_in_repositories']);
  });
});
