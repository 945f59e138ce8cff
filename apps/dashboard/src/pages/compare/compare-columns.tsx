import type { HostComparison } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { type Column, column } from '../../design/table/table-columns.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { ExploitedBadge, FixBadge, SeverityBadge } from '../../words/badges.tsx';
import styles from './compare.module.css';
import { factInWords, factValueInWords } from './compare-words.ts';

type Packages = NonNullable<HostComparison['packages']>;
type Finding = NonNullable<HostComparison['findings']>['only_a'][number];
type Repository = NonNullable<HostComparison['repositories']>['only_a'][number];

function Value({ text }: { readonly text: string | null }) {
  return text === null ? <>not known</> : <ForeignText text={text} />;
}

/** Facts of both hosts. */
export const factColumns: readonly Column<HostComparison['facts'][number]>[] = [
  column('fact', 'Fact', {
    width: '14rem',
    cell: ({ fact, same }) => (
      <span className={same === false ? styles['differs'] : undefined}>{factInWords(fact)}</span>
    ),
    sortBy: ({ fact }) => factInWords(fact),
  }),
  column('a', 'A', { width: '14rem', cell: ({ fact, a }) => <Value text={factValueInWords(fact, a)} /> }),
  column('b', 'B', { width: '14rem', cell: ({ fact, b }) => <Value text={factValueInWords(fact, b)} /> }),
  column('same', 'Same', {
    width: '7rem',
    cell: ({ same }) => (same === null ? 'not known' : same ? 'same' : 'differs'),
    sortBy: ({ same }) => (same === false ? 0 : same === null ? 1 : 2),
  }),
];

function name<Row extends { readonly name: string; readonly architecture: string }>(): Column<Row> {
  return column('name', 'Package', {
    width: 'clamp(7rem, 24vw, 18rem)',
    cell: ({ name: text, architecture }) => (
      <Link to="/packages" search={{ name: text }}>
        <ForeignText text={architecture === '' ? text : `${text} (${architecture})`} />
      </Link>
    ),
    sortBy: ({ name: text }) => text,
  });
}

function Versions({ versions }: { readonly versions: readonly string[] }) {
  return <ForeignText text={versions.join(', ')} mono />;
}

/** Packages that one host has. */
export const packageColumns: readonly Column<Packages['only_a'][number]>[] = [
  name(),
  column('versions', 'Version', { cell: ({ versions }) => <Versions versions={versions} /> }),
];

/** Packages that both hosts have, in other versions. */
export const differentColumns: readonly Column<Packages['different'][number]>[] = [
  name(),
  column('a', 'A', { width: 'clamp(6rem, 18vw, 14rem)', cell: ({ a }) => <Versions versions={a} /> }),
  column('b', 'B', { width: 'clamp(6rem, 18vw, 14rem)', cell: ({ b }) => <Versions versions={b} /> }),
  column('newer', 'Newer', {
    width: 'clamp(4rem, 12vw, 9rem)',
    cell: ({ newer }) => (newer === null ? 'no order' : newer.toUpperCase()),
    sortBy: ({ newer }) => newer ?? '',
  }),
];

/** Findings that one host has. */
export function findingColumns(hostId: string): readonly Column<Finding>[] {
  return [
    column('severity', 'Severity', {
      width: 'clamp(6.5rem, 16vw, 12rem)',
      cell: ({ severity, known_exploited }) => (
        <>
          <SeverityBadge severity={severity} /> {known_exploited && <ExploitedBadge />}
        </>
      ),
    }),
    column('package', 'Package', {
      width: 'clamp(6rem, 21vw, 16rem)',
      cell: ({ name: text }) => (
        <Link to="/hosts/$id" params={{ id: hostId }} search={{ fix: 'all', q: text }}>
          <ForeignText text={text} />
        </Link>
      ),
      sortBy: ({ name: text }) => text,
    }),
    column('advisory', 'Advisory', {
      width: 'clamp(6.5rem, 21vw, 16rem)',
      cell: ({ advisory_id }) => (
        <Link to="/advisories/$id" params={{ id: advisory_id }}>
          <ForeignText text={advisory_id} />
        </Link>
      ),
      sortBy: ({ advisory_id }) => advisory_id,
    }),
    column('installed', 'Installed', {
      from: 'medium',
      cell: ({ installed_version }) => <ForeignText text={installed_version} mono />,
    }),
    column('fix', 'Fix', { width: '12rem', cell: ({ fix_state }) => <FixBadge state={fix_state} /> }),
  ];
}

/** Repositories that one host has. */
export const repositoryColumns: readonly Column<Repository>[] = [
  column('id', 'Repository', { width: '16rem', cell: ({ id }) => <ForeignText text={id} /> }),
  column('url', 'Address', { cell: ({ url }) => <ForeignText text={url} mono /> }),
  column('suite', 'Suite', { width: '12rem', cell: ({ suite }) => <ForeignText text={suite} /> }),
];
