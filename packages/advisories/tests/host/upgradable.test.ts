import { assessHost } from '../../src/index.ts';
import { assessed, installed, offered, statement } from '../debian-host.ts';

const packages = [
  installed('curl', '1-1'),
  installed('libcurl4', '1-1', { name: 'curl' }),
  installed('vim', '1-1'),
];
const statements = {
  curl: [
    statement('CVE-2024-0001', '1-2', { severity: 'low' }),
    statement('CVE-2024-0002', '1-3', { severity: 'critical' }),
    statement('CVE-2024-0003', null, { severity: 'critical' }),
    statement('CVE-2024-0004', '1-2', { severity: 'none' }),
  ],
};

describe('the available updates', () => {
  it('name the advisories they close, and the worst severity', () => {
    const source = { sourceName: 'curl' };
    const upgrades = [
      offered('vim', '1-1', '1-2', { isSecurity: true }),
      offered('libcurl4', '1-1', '1-3', source),
      offered('curl', '1-1', '1-2', { ...source, sourceVersion: '1-2', advisoryIds: ['DSA-9-1'] }),
    ];
    const { upgradable } = assessHost(assessed({ packages, statements, upgrades }));
    expect(upgradable.map(({ name, severity, advisoryIds }) => [name, severity, advisoryIds])).toEqual([
      ['curl', 'low', ['CVE-2024-0001', 'CVE-2024-0004', 'DSA-9-1']],
      ['libcurl4', 'critical', ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0004']],
      ['vim', null, []],
    ]);
  });

  it('are held by the package or the update, and phased ones are not among them', () => {
    const held = [installed('vim', '1-1', {}, { held: true })];
    const upgrades = [
      offered('a', '1', '2', { held: true }),
      offered('b', '1', '2', { phased: true }),
      offered('c', '1', '2'),
      offered('vim', '1-1', '1-2'),
    ];
    const { upgradable, phasedUpdates } = assessHost(assessed({ packages: held, upgrades }));
    expect(upgradable.map((update) => update.held)).toEqual([true, false, false, true]);
    expect(upgradable.map((update) => update.phased)).toEqual([false, true, false, false]);
    expect(phasedUpdates).toBe(1);
  });

  it('exclude packages that would be newly installed', () => {
    const upgrades = [offered('curl', '', '2'), offered('vim', '1-1', '1-2')];
    const assessment = assessHost(assessed({ packages, upgrades }));
    expect(assessment.upgradable.map(({ name }) => name)).toEqual(['vim']);
    expect(assessment.availableUpdates).toBe(1);
  });

  it('exclude installed versions, and lower ones, which are listed separately', () => {
    const upgrades = [
      offered('curl', '1-1', '1-1', { isSecurity: true }),
      offered('libcurl4', '1-1', '1-0', { isSecurity: true }),
    ];
    const assessment = assessHost(assessed({ packages, upgrades }));
    expect(assessment).toMatchObject({ upgradable: [], availableUpdates: 0, disagreements: [] });
    expect(assessment.grounds).toEqual([]);
    expect(assessment.downgrades).toMatchObject([{ name: 'libcurl4', change: 'downgrade' }]);
  });

  it('include versions that cannot be compared, marked as such', () => {
    const upgrades = [offered('curl', '1-1', '1 2'), offered('vim', '1-1', '1-2')];
    const assessment = assessHost(assessed({ packages, upgrades }));
    expect(assessment.availableUpdates).toBe(2);
    expect(assessment.upgradable.map(({ name, change }) => [name, change])).toEqual([
      ['curl', 'unknown'],
      ['vim', 'upgrade'],
    ]);
  });
});
