/** A commit in `git log`. */
export interface Commit {
  /** The first line of its message. */
  readonly subject: string;
  /** The rest. */
  readonly body: string;
}

const unreleased = '## Unreleased\n';
const groups = [
  ['feat', 'New'],
  ['fix', 'Fixed'],
  ['perf', 'Faster'],
] as const;

/**
 * Returns the changelog with a section for a release: the handwritten text below "Unreleased", then a list of the
 * commits. Empties "Unreleased". Throws if that section is missing or the release section would be empty.
 */
export function withRelease(
  changelog: string,
  version: string,
  day: string,
  commits: readonly Commit[],
): string {
  const start = changelog.indexOf(unreleased);
  if (start < 0) throw new Error('CHANGELOG.md has no heading "## Unreleased"');
  const rest = changelog.slice(start + unreleased.length);
  const next = rest.search(/^## /m);
  const byHand = (next < 0 ? rest : rest.slice(0, next)).trim();
  const older = next < 0 ? '' : rest.slice(next);
  const sections = [byHand, ...listsOf(commits)].filter((text) => text !== '');
  if (sections.length === 0) throw new Error('there is nothing to release: no note and no feat, fix or perf');
  const release = `## ${version}, ${day}\n\n${sections.join('\n\n')}\n`;
  return `${changelog.slice(0, start)}${unreleased}\n${release}${older === '' ? '' : `\n${older}`}`;
}

/** One list for each kind of user-visible change, breaking changes first. */
function listsOf(commits: readonly Commit[]): readonly string[] {
  const parsed = commits.flatMap(({ subject, body }) => {
    const [, type, scope, bang, text] = /^(\w+)(?:\(([^)]*)\))?(!)?: (.+)$/.exec(subject) ?? [];
    if (type === undefined || text === undefined) return [];
    const breaking = bang !== undefined || /^BREAKING CHANGE: /m.test(body);
    return [{ type, breaking, line: scope === undefined ? `- ${text}` : `- **${scope}**: ${text}` }];
  });
  const list = (title: string, chosen: typeof parsed): string =>
    chosen.length === 0 ? '' : `### ${title}\n\n${chosen.map(({ line }) => line).join('\n')}`;
  return [
    list(
      'Breaking',
      parsed.filter(({ breaking }) => breaking),
    ),
    ...groups.map(([type, title]) =>
      list(
        title,
        parsed.filter((commit) => commit.type === type && !commit.breaking),
      ),
    ),
  ];
}
