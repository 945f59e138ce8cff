import { repositoryAsOf } from '@plimsoll/words';
import {
  fleetRepositoryName,
  fleetRepositoryState,
  newestSourceWords,
} from '../../src/words/repository-words.ts';

const newest = '2026-05-01T00:00:00.000Z';

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
    const words = (outdated_hosts: number, newest_known_at: string | null) =>
      fleetRepositoryState({ outdated_hosts, newest_known_at }).words;
    expect(words(0, null)).toBe('Not known');
    expect(words(0, newest)).toBe('None known');
    expect(words(1, newest)).toBe('1 host');
    // Past their own Valid-Until: outdated even without a newest date.
    expect(words(1200, null)).toBe('1,200 hosts');
    for (const at of [null, newest]) {
      expect(fleetRepositoryState({ outdated_hosts: 0, newest_known_at: at }).tone).not.toBe('good');
    }
  });

  it('says what tells its newest date', () => {
    expect(newestSourceWords({ newest_known_source: 'publisher' })).toBe('from the publisher');
    expect(newestSourceWords({ newest_known_source: 'hosts' })).toBe('from three hosts or more');
    expect(newestSourceWords({ newest_known_source: null })).toBe('');
  });
});
