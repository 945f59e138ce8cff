import { assessHost } from '../../src/index.ts';
import { assessed, installed, offered } from '../debian-host.ts';

describe('a host of an unknown distribution', () => {
  it('still shows its updates and kernels, with all packages unknown', () => {
    const host = assessed({ packages: [installed('curl', '1')], upgrades: [offered('curl', '1', '2')] });
    const verdict = {
      kind: 'unknown',
      reason: 'unsupported_release',
      detail: 'plan9:4',
      kernel: null,
    } as const;
    const kernel = {
      ...host.facts.kernel,
      runningRelease: '6.8.0-31-generic',
      installed: [
        {
          package: 'linux-image-6.8.0-31-generic',
          version: '6.8.0-31.31',
          release: '6.8.0-31-generic',
          defaultBoot: 'unknown',
        },
      ],
    } as const;
    const assessment = assessHost({
      ...host,
      packages: host.packages.map((subject) => ({ ...subject, verdict })),
      facts: { ...host.facts, release: null, kernel },
    });
    expect(assessment).toMatchObject({
      findings: [],
      availableUpdates: 1,
      counts: { unknown: 1 },
      grounds: ['update_waiting'],
      upgradable: [{ name: 'curl', severity: null }],
      kernelPosture: {
        runningKernel: '6.8.0-31-generic',
        runningIsLatest: true,
        installedKernels: [{ package: 'linux-image-6.8.0-31-generic', running: true }],
        rebootState: 'unknown',
      },
    });
  });
});
