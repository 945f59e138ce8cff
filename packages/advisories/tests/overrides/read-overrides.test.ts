import fc from 'fast-check';
import { knownFeedErrors, readOverrides } from '../../src/index.ts';
import { hostileTrees, hostileValues } from '../hostile-values.ts';

const entry = {
  feed: 'debian-osv',
  release: 'debian:13',
  package: 'xz-utils',
  cve: 'CVE-2024-3094',
  affected_from: '5.5.1alpha-0.1',
  reason: 'Older versions are clean.',
  source: 'https://lists.debian.org/debian-security-announce/2024/msg00057.html',
};

describe('a list of overrides', () => {
  it('is read, with and without limits', () => {
    const { affected_from: _, ...unlimited } = { ...entry, cve: 'CVE-2024-3095' };
    expect(readOverrides([entry, unlimited])).toEqual({
      kind: 'read',
      overrides: [
        {
          feed: 'debian-osv',
          release: 'debian:13',
          package: 'xz-utils',
          cve: 'CVE-2024-3094',
          affectedFrom: '5.5.1alpha-0.1',
          affectedBefore: null,
          reason: entry.reason,
          source: entry.source,
        },
        expect.objectContaining({ cve: 'CVE-2024-3095', affectedFrom: null, affectedBefore: null }),
      ],
    });
    expect(readOverrides([])).toEqual({ kind: 'read', overrides: [] });
  });

  it.each([
    [{ feed: 'epss' }, '/0/feed', 'must be the id of a feed of advisories'],
    [{ release: 'plan9:4' }, '/0/release', 'must be a known release, like "debian:13"'],
    [{ package: 'xz utils' }, '/0/package', 'must be the name of a package'],
    [{ cve: 'CVE-2024' }, '/0/cve', 'must be the id of a CVE'],
    [{ affected_from: 'not a version' }, '/0/affected_from', 'must be a version of the release'],
    [{ affected_before: '5.4.1-1' }, '/0/affected_before', 'must be higher than affected_from'],
    [{ reason: '' }, '/0/reason', 'must be a text of 1 to 500 characters on one line'],
    [{ reason: 'two\nlines' }, '/0/reason', 'must be a text of 1 to 500 characters on one line'],
    [{ source: 'http://example.org/' }, '/0/source', 'must be an https URL'],
    [{ affected_form: '1' }, '/0/affected_form', expect.stringMatching(/^is unknown; known are feed, /)],
  ])('is refused with the place of the mistake: %j', (changes, pointer, detail) => {
    expect(readOverrides([{ ...entry, ...changes }])).toEqual({
      kind: 'refused',
      mistakes: [{ pointer, detail }],
    });
  });

  it('must be a list of objects without repetition', () => {
    expect(readOverrides({})).toEqual({
      kind: 'refused',
      mistakes: [{ pointer: '', detail: 'must be a list' }],
    });
    expect(readOverrides([entry, 'text', entry])).toEqual({
      kind: 'refused',
      mistakes: [
        { pointer: '/1', detail: 'must be an object' },
        { pointer: '/2', detail: 'repeats an earlier entry' },
      ],
    });
    expect(readOverrides(Array.from({ length: 1_001 }, () => entry))).toMatchObject({ kind: 'refused' });
  });

  it('has an answer for every value', () => {
    const trees = hostileTrees(
      ['debian-osv', 'debian:13', entry.cve, entry.source, '1'],
      ['feed', 'release', 'package', 'cve', 'affected_from', 'affected_before', 'reason', 'source'],
    );
    fc.assert(
      fc.property(fc.oneof(hostileValues(trees), fc.array(trees, { maxLength: 3 })), (value) => {
        expect(['read', 'refused']).toContain(readOverrides(value).kind);
      }),
      { numRuns: 300 },
    );
  });
});

it.each(['debian-osv', 'debian-tracker'])(
  'the list of the project has the backdoor of xz on Debian 13 in %s',
  (feed) => {
    expect(knownFeedErrors).toContainEqual(
      expect.objectContaining({
        feed,
        release: 'debian:13',
        package: 'xz-utils',
        cve: 'CVE-2024-3094',
        affectedFrom: '5.5.1alpha-0.1',
        affectedBefore: '5.6.1+really5.4.5-1',
      }),
    );
  },
);
