import type { ServiceFacts } from '@plimsoll/model';
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

const action = (host: DebianHost) => assessHost(assessed(host)).action;
const fixed = (rest: Parameters<typeof statement>[2]) => ({
  curl: [statement('CVE-2024-0001', '1-2', rest)],
});
const fixedKernel = (rest: Parameters<typeof statement>[2]) => ({
  linux: [statement('CVE-2024-0002', '6.1.124-1', rest)],
});

describe('the one most urgent thing to do', () => {
  const rebooting = { packages: [curl, image, newer], kernel };

  it.each<[string, DebianHost]>([
    ['none', { packages: [curl] }],
    [
      'none',
      {
        packages: [curl],
        statements: { curl: [statement('CVE-2024-0001', null, { severity: 'critical' })] },
      },
    ],
    ['none', { packages: [curl], statements: fixed({ severity: 'critical' }) }],
    ['update', { packages: [curl], upgrades: toFix }],
    [
      'update',
      { packages: [curl], upgrades: [offered('curl', '1-1', '1-2', { isSecurity: true, held: true })] },
    ],
    [
      'update',
      { packages: [{ ...curl, held: true }], upgrades: toFix, statements: fixed({ severity: 'critical' }) },
    ],
    ['restart', { packages: [curl], upgrades: toFix, facts: { services } }],
    ['reboot', { ...rebooting, upgrades: toFix, facts: { services } }],
    ['reboot', { ...rebooting, statements: fixedKernel({ severity: 'important' }) }],
    ['update_security', { ...rebooting, upgrades: toFix, statements: fixed({ severity: 'low' }) }],
    [
      'update_security',
      { packages: [curl], upgrades: [offered('curl', '1-1', '1-2', { isSecurity: true })] },
    ],
    [
      'reboot_urgent',
      {
        ...rebooting,
        upgrades: toFix,
        statements: { ...fixed({}), ...fixedKernel({ severity: 'critical' }) },
      },
    ],
    ['reboot_urgent', { ...rebooting, statements: fixedKernel({ severity: 'low', knownExploited: true }) }],
    ['update_urgent', { packages: [curl], upgrades: toFix, statements: fixed({ severity: 'critical' }) }],
    [
      'update_urgent',
      {
        ...rebooting,
        upgrades: toFix,
        statements: { ...fixed({ knownExploited: true }), ...fixedKernel({ severity: 'critical' }) },
      },
    ],
  ])('is %s', (expected, host) => {
    expect(action(host)).toBe(expected);
  });
});

describe('services', () => {
  const restartState = (facts: DebianHost['facts']) =>
    assessHost(assessed({ packages: [curl], facts: facts ?? {} })).restartState;

  it('need a restart where the host names one or says so', () => {
    expect(restartState({ services })).toBe('needed');
    expect(restartState({ services: { restartRequired: 'yes', toRestart: [] } })).toBe('needed');
    expect(restartState({ services: { ...services, restartRequired: 'unknown' } })).toBe('needed');
  });

  it('need none only where the host says so', () => {
    expect(restartState({ services: { restartRequired: 'no', toRestart: [] } })).toBe('not_needed');
    expect(restartState({ services: { restartRequired: 'unknown', toRestart: [] } })).toBe('unknown');
    expect(restartState({ failures: [{ section: 'services', detail: 'needrestart timed out' }] })).toBe(
      'unknown',
    );
  });
});
