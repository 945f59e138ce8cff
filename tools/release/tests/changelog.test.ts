import { withRelease } from '../src/changelog.ts';

const empty = '# Changelog\n\n## Unreleased\n\n## 0.1.0, 2026-11-01\n\n- The first.\n';
const commit = (subject: string, body = '') => ({ subject, body });

it('lists user-visible changes, breaking ones first, and empties "Unreleased"', () => {
  const commits = [
    commit('feat(api): hosts have notes'),
    commit('refactor(db): files in folders'),
    commit('fix: a start without network'),
    commit('perf(db): imports take half the time'),
    commit('feat(cli)!: start needs a folder'),
    commit('fix(agent): new name of a field', 'Older ones\n\nBREAKING CHANGE: reread'),
    commit('no conventional message'),
  ];
  expect(withRelease(empty, '0.2.0', '2026-11-22', commits)).toBe(`# Changelog

## Unreleased

## 0.2.0, 2026-11-22

### Breaking

- **cli**: start needs a folder
- **agent**: new name of a field

### New

- **api**: hosts have notes

### Fixed

- a start without network

### Faster

- **db**: imports take half the time

## 0.1.0, 2026-11-01

- The first.
`);
});

it('puts handwritten text before the lists', () => {
  const noted = empty.replace('## Unreleased\n', '## Unreleased\n\nStop the old service first.\n');
  const written = withRelease(noted, '0.2.0', '2026-11-22', [commit('fix: a thing')]);
  expect(written).toContain(
    '## Unreleased\n\n## 0.2.0, 2026-11-22\n\nStop the old service first.\n\n### Fixed\n',
  );
});

it.each([
  ['without anything to say', empty, 'nothing to release'],
  ['into a file without the heading', '# Changelog\n', 'no heading'],
])('refuses a release %s', (_, changelog, reason) => {
  expect(() => withRelease(changelog, '0.2.0', '2026-11-22', [commit('docs: words')])).toThrow(reason);
});
