import { useEffect } from 'react';
import changelog from '../../../../../CHANGELOG.md?raw';
import { Page } from '../../design/page/page.tsx';
import { noteChangesSeen } from '../../shell/unseen-changes.ts';
import { type ChangelogBlock, readChangelog } from './changelog.ts';
import styles from './changes.module.css';

const tags = { version: 'h2', heading: 'h3', paragraph: 'p', bullet: 'li' } as const;

/** What changed for users, by version: the changelog of the running dashboard. */
export function ChangesPage() {
  useEffect(noteChangesSeen, []);
  return (
    <Page
      title="What changed"
      lead="What users of Plimsoll notice, newest first, with what to do before and after an upgrade."
    >
      <div className={styles['changes']}>{readChangelog(changelog).map(shown)}</div>
    </Page>
  );
}

function shown({ kind, runs }: ChangelogBlock, at: number) {
  const Tag = tags[kind];
  return (
    <Tag key={at}>{runs.map((run, place) => (place % 2 === 1 ? <strong key={run}>{run}</strong> : run))}</Tag>
  );
}
