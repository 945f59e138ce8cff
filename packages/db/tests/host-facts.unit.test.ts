import type { Release } from '@plimsoll/model';
import type { CountedFacts } from '../src/ingest/stored-facts.ts';
import { toHostFacts } from '../src/judging/counting/host-facts.ts';

function factsWith(failed: readonly string[]) {
  const facts: CountedFacts = {
    platform: { virtualization: '' },
    kernel: {
      runningRelease: '',
      runningVersion: '',
      runningPackage: '',
      installed: [],
      rebootRequired: 'unknown',
      rebootPackages: [],
      livepatch: '',
      livepatchedCves: [],
    },
    services: { restartRequired: 'unknown', toRestart: [] },
    subscription: null,
    failures: failed.map((section) => ({ section, detail: 'timed out' })),
  };
  return toHostFacts({
    release: 'ubuntu:22.04' as Release,
    lifecycle: null,
    facts,
    bootedAt: null,
    coreHistory: null,
    upgrades: [],
    held: new Set(),
  });
}

describe('facts whose section failed', () => {
  it.each([
    [[], null, 'known'],
    [['subscription'], 'unknown', 'known'],
    [['pro'], 'unknown', 'known'],
    [['upgradable'], null, 'unknown'],
    [['updates', 'Subscription'], 'unknown', 'unknown'],
  ])('%j: the subscription is %j, updates are %s', (failed, subscription, updates) => {
    expect(factsWith(failed)).toMatchObject({ subscription, updates });
  });
});
