import type { HostComparison } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import type { Column } from '../../design/table/table-columns.ts';
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
  {
    id: 'fact',
    header: 'Fact',
    width: '14rem',
    cell: ({ fact, same }) => (
      <span className={same === false ? styles['differs'] : undefined}>{factInWords(fact)}</span>
    ),
    sortBy: ({ fact }) => factInWords(fact),
  },
  { id: 'a', header: 'A', width: '14rem', cell: ({ fact, a }) => <Value text={factValueInWords(fact, a)} /> },
  { id: 'b', header: 'B', width: '14rem', cell: ({ fact, b }) => <Value text={factValueInWords(fact, b)} /> },
  {
    id: 'same',
    header: 'Same',
    width: '7rem',
    cell: ({ same }) => (same === null ? 'not known' : same ? 'same' : 'differs'),
    sortBy: ({ same }) => (same === false ? 0 : same === null ? 1 : 2),
  },
];

function name<Row extends { readonly name: string; readonly architecture: string }>(): Column<Row> {
  return {
    id: 'name',
    header: 'Package',
    width: 'clamp(7rem, 24vw, 18rem)',
    cell: ({ name: text, architecture }) => (
      <Link to="/packages" search={{ name: text }}>
        <ForeignText text={architecture === '' ? text : `${text} (${architecture})`} />
      </Link>
    ),
    sortBy: ({ name: text }) => text,
  };
}

function Versions({ versions }: { readonly versions: readonly string[] }) {
  return <ForeignText text={versions.join(', ')} mono />;
}

/** Packages that one host has. */
export const packageColumns: readonly Column<Packages['only_a'][number]>[] = [
  name(),
  { id: 'versions', header: 'Version', cell: ({ versions }) => <Versions versions={versions} /> },
];

/** Packages that both hosts have, in other versions. */
export const differentColumns: readonly Column<Packages['different'][number]>[] = [
  name(),
  { id: 'a', header: 'A', width: 'clamp(6rem, 18vw, 14rem)', cell: ({ a }) => <Versions versions={a} /> },
  { id: 'b', header: 'B', width: 'clamp(6rem, 18vw, 14rem)', cell: ({ b }) => <Versions versions={b} /> },
  {
    id: 'newer',
    header: 'Newer',
    width: 'clamp(4rem, 12vw, 9rem)',
    cell: ({ newer }) => (newer === null ? 'no order' : newer.toUpperCase()),
    sortBy: ({ newer }) => newer ?? '',
  },
];

/** Findings that one host has. */
export function findingColumns(hostId: string): readonly Column<Finding>[] {
  return [
    {
      id: 'severity',
      header: 'Severity',
      width: 'clamp(6.5rem, 16vw, 12rem)',
      cell: ({ severity, known_exploited }) => (
        <>
          <SeverityBadge severity={severity} /> {known_exploited && <ExploitedBadge />}
        </>
      ),
    },
    {
      id: 'package',
      header: 'Package',
      width: 'clamp(6rem, 21vw, 16rem)',
      cell: ({ name: text }) => (
        <Link to="/hosts/$id" params={{ id: hostId }} search={{ fix: 'all', q: text }}>
          <ForeignText text={text} />
        </Link>
      ),
      sortBy: ({ name: text }) => text,
    },
    {
      id: 'advisory',
      header: 'Advisory',
      width: 'clamp(6.5rem, 21vw, 16rem)',
      cell: ({ advisory_id }) => (
        <Link to="/advisories/$id" params={{ id: advisory_id }}>
          <ForeignText text={advisory_id} />
        </Link>
      ),
      sortBy: ({ advisory_id }) => advisory_id,
    },
    {
      id: 'installed',
      header: 'Installed',
      from: 'medium',
      cell: ({ installed_version }) => <ForeignText text={installed_version} mono />,
    },
    { id: 'fix', header: 'Fix', width: '12rem', cell: ({ fix_state }) => <FixBadge state={fix_state} /> },
  ];
}

/** Repositories that one host has. */
export const repositoryColumns: readonly Column<Repository>[] = [
  { id: 'id', header: 'Repository', width: '16rem', cell: ({ id }) => <ForeignText text={id} /> },
  { id: 'url', header: 'Address', cell: ({ url }) => <ForeignText text={url} mono /> },
  { id: 'suite', header: 'Suite', width: '12rem', cell: ({ suite }) => <ForeignText text={suite} /> },
];
