import type { ActionGround, ServiceFacts } from '@plimsoll/model';
import { assessHost } from '../../src/index.ts';
import {
  assessed,
  type DebianHost,
  installed,
  kernelImage,
  offered,
  running,
  statement,
} from '../debian-host.ts';

const curl = installed('curl', '1-1');
const image = kernelImage('6.1.0-29-amd64', '6.1.123-1');
const newer = kernelImage('6.1.0-30-amd64', '6.1.124-1');
const kernel = running('6.1.0-29-amd64', '6.1.123-1');
const services: ServiceFacts = {
  restartRequired: 'yes',
  toRestart: [{ name: 'ssh.service', reason: 'libssl3' }],
};
const toFix = [offered('curl', '1-1', '1-2')];

const grounds = (host: DebianHost) => assessHost(assessed(host)).grounds;
type Rest = Parameters<typeof statement>[2];
const fixed = (rest: Rest) => ({ curl: [statement('CVE-2024-0001', '1-2', rest)] });
const unfixed = (rest: Rest) => ({ curl: [statement('CVE-2024-0001', null, rest)] });
const fixedKernel = (rest: Rest) => ({ linux: [statement('CVE-2024-0002', '6.1.124-1', rest)] });
const undecided = { fix: { kind: 'unfixed', reason: 'under_investigation', detail: '' } } as const;
const refused = { fix: { kind: 'unfixed', reason: 'will_not_fix', detail: '' } } as const;

describe('the grounds for action of a host', () => {
  const rebooting = { packages: [curl, image, newer], kernel };
  const phased = [offered('curl', '1-1', '1-2', { phased: true })];
  const held = [offered('curl', '1-1', '1-2', { isSecurity: true, held: true })];
  const unknownOffers = { updates: 'unknown' as const };

  it.each<[string, DebianHost, readonly ActionGround[]]>([
    ['nothing', { packages: [curl] }, []],
    ['an update', { packages: [curl], upgrades: toFix }, ['update_waiting']],
    ['nothing while an update is phased', { packages: [curl], upgrades: phased }, []],
    ['no security update where it is held', { packages: [curl], upgrades: held }, ['update_waiting']],
    [
      'a security update by the package manager’s word alone',
      { packages: [curl], upgrades: [offered('curl', '1-1', '1-2', { isSecurity: true })] },
      ['update_waiting', 'security_update'],
    ],
    [
      'patience with a phased fix, however urgent',
      { packages: [curl], upgrades: phased, statements: fixed({ severity: 'critical' }) },
      ['open_finding', 'urgent_open'],
    ],
    ['patience where there is no fix', { packages: [curl], statements: unfixed({}) }, ['open_finding']],
    [
      'patience if only CVSS rates a finding without a fix as critical',
      { packages: [curl], statements: unfixed({ severity: 'critical', severitySource: 'cvss' }) },
      ['open_finding', 'urgent_open'],
    ],
    [
      'a mitigation if the vendor rates it as critical',
      { packages: [curl], statements: unfixed({ severity: 'critical', severitySource: 'vendor' }) },
      ['open_finding', 'urgent_open', 'urgent_without_fix'],
    ],
    [
      'a mitigation if it is exploited',
      { packages: [curl], statements: unfixed({ severity: 'low', knownExploited: true }) },
      ['open_finding', 'urgent_open', 'urgent_without_fix'],
    ],
    [
      'patience if the vendor has not decided',
      { packages: [curl], statements: unfixed({ severity: 'critical', ...undecided }) },
      ['open_finding', 'urgent_open'],
    ],
    [
      'patience if the vendor refuses a fix',
      { packages: [curl], statements: unfixed({ severity: 'important', ...refused }) },
      ['open_finding'],
    ],
    [
      'repositories that have the fix',
      { packages: [curl], statements: fixed({ severity: 'important' }) },
      ['open_finding', 'blocked_fix'],
    ],
    [
      'repositories that have the urgent fix',
      { packages: [curl], statements: fixed({ severity: 'critical' }) },
      ['open_finding', 'blocked_fix', 'urgent_open', 'urgent_blocked'],
    ],
    [
      'an end of the hold on an urgent fix',
      { packages: [{ ...curl, held: true }], upgrades: toFix, statements: fixed({ knownExploited: true }) },
      ['open_finding', 'update_waiting', 'blocked_fix', 'urgent_open', 'urgent_blocked'],
    ],
    [
      'a security update if offers are unknown',
      { packages: [curl], statements: fixed({ severity: 'important' }), facts: unknownOffers },
      ['open_finding', 'security_update'],
    ],
    [
      'an urgent update',
      { packages: [curl], upgrades: toFix, statements: fixed({ severity: 'critical' }) },
      ['open_finding', 'update_waiting', 'security_update', 'urgent_open', 'urgent_installable'],
    ],
    [
      'a reboot into the fixed kernel',
      { ...rebooting, statements: fixedKernel({ severity: 'important' }) },
      ['open_finding', 'pending_reboot'],
    ],
    [
      'an urgent reboot beside a plain update',
      {
        ...rebooting,
        upgrades: toFix,
        statements: { ...fixed({}), ...fixedKernel({ severity: 'critical' }) },
      },
      [
        'open_finding',
        'update_waiting',
        'pending_reboot',
        'security_update',
        'urgent_open',
        'urgent_pending_reboot',
      ],
    ],
  ])('is %s', (_what, host, expected) => {
    expect(grounds(host)).toEqual(expected);
  });

  it('are derived per advisory: an urgent one without a fix next to an installable one', () => {
    const statements = {
      curl: [
        statement('CVE-2024-0001', '1-2', { severity: 'low' }),
        statement('CVE-2024-0003', '1-9', { severity: 'critical' }),
        statement('CVE-2024-0004', null, { severity: 'moderate', knownExploited: true }),
      ],
    };
    expect(grounds({ packages: [curl], upgrades: toFix, statements })).toEqual([
      'open_finding',
      'update_waiting',
      'blocked_fix',
      'security_update',
      'urgent_open',
      'urgent_without_fix',
      'urgent_blocked',
    ]);
  });

  it('exclude findings that are entirely under investigation, which still count as open', () => {
    const { counts, grounds: asked } = assessHost(
      assessed({ packages: [curl], statements: unfixed({ severity: 'important', ...undecided }) }),
    );
    expect(Object.values(counts).every((count) => count === 0)).toBe(true);
    expect(asked).toEqual(['open_finding']);
  });
});

describe('services', () => {
  const restartState = (facts: DebianHost['facts']) =>
    assessHost(assessed({ packages: [curl], facts: facts ?? {} })).restartState;

  it('need a restart if the host names one or reports so', () => {
    expect(restartState({ services })).toBe('needed');
    expect(restartState({ services: { restartRequired: 'yes', toRestart: [] } })).toBe('needed');
    expect(restartState({ services: { ...services, restartRequired: 'unknown' } })).toBe('needed');
  });

  it('need no restart only if the host reports so', () => {
    expect(restartState({ services: { restartRequired: 'no', toRestart: [] } })).toBe('not_needed');
    expect(restartState({ services: { restartRequired: 'unknown', toRestart: [] } })).toBe('unknown');
    expect(restartState({ failures: [{ section: 'services', detail: 'needrestart timed out' }] })).toBe(
      'unknown',
    );
  });
});
