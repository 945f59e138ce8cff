import { repositoryAsOf } from '@plimsoll/words';
import {
  fleetRepositoryName,
  fleetRepositoryState,
  newestSourceWords,
} from '../../src/words/repository-words.ts';

it('a copy that an old report calls current is not shown as good', () => {
  expect(repositoryAsOf('current', { gaps: [] })).toMatchObject({ words: 'Current', tone: 'good' });
  expect(repositoryAsOf('current', { gaps: ['report_outdated'] })).toMatchObject({
    words: 'Current then',
    tone: 'neutral',
  });
  expect(repositoryAsOf('outdated', { gaps: ['report_outdated'] }).words).toBe('Outdated');
});

describe('a repository of the fleet in words', () => {
  it('is named by suite, component and architecture, as far as it has them', () => {
    expect(fleetRepositoryName({ name: 'noble-security', component: 'main', architecture: 'amd64' })).toBe(
      'noble-security (main), amd64',
    );
    expect(fleetRepositoryName({ name: 'baseos', component: '', architecture: 'x86_64' })).toBe(
      'baseos, x86_64',
    );
    expect(fleetRepositoryName({ name: 'baseos', component: '', architecture: '' })).toBe('baseos');
  });

  it('has no outdated host only as far as is known', () => {
    const state = (outdated_hosts: number, newest_known_source: 'hosts' | 'few_hosts' | null) =>
      fleetRepositoryState({ outdated_hosts, newest_known_source });
    expect(state(0, null).words).toBe('Not known');
    expect(state(0, 'few_hosts').words).toBe('Not known');
    expect(state(0, 'hosts').words).toBe('None known');
    expect(state(1, 'hosts').words).toBe('1 host');
    // Past their own Valid-Until: outdated even without a newest date.
    expect(state(1200, null).words).toBe('1,200 hosts');
    for (const source of [null, 'hosts'] as const) expect(state(0, source).tone).not.toBe('good');
  });

  it('says what tells its newest date', () => {
    expect(newestSourceWords({ newest_known_source: 'publisher' })).toBe('from the publisher');
    expect(newestSourceWords({ newest_known_source: 'hosts' })).toBe('from three hosts or more');
    expect(newestSourceWords({ newest_known_source: null })).toBe('');
  });
});
