import type { HostRepository } from '@plimsoll/contract';
import { Badge } from '../../../design/badge.tsx';
import type { Column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import { repositoryWords } from '../../../words/repository-words.ts';
import { TextCell } from '../text-cell.tsx';

/** Columns of the repositories of a host. */
export const repositoryColumns: readonly Column<HostRepository>[] = [
  {
    id: 'name',
    header: 'Repository',
    width: '16rem',
    cell: (copy) => <TextCell text={nameOf(copy)} />,
    sortBy: nameOf,
  },
  { id: 'state', header: 'State', width: '9rem', cell: (copy) => <State copy={copy} />, sortBy: stateOf },
  {
    id: 'reason',
    header: 'Reason',
    width: '26rem',
    cell: ({ reason }) => <ForeignText text={reason} />,
  },
  {
    id: 'published',
    header: 'Published',
    width: '10rem',
    cell: ({ published_at }) => <At at={published_at} />,
    sortBy: ({ published_at }) => (published_at === null ? 0 : Date.parse(published_at)),
  },
  {
    id: 'newest',
    header: 'Newest known',
    width: '10rem',
    from: 'medium',
    cell: ({ newest_known_at }) => <At at={newest_known_at} />,
    sortBy: ({ newest_known_at }) => (newest_known_at === null ? 0 : Date.parse(newest_known_at)),
  },
  {
    id: 'fetched',
    header: 'Last fetched',
    width: '10rem',
    from: 'medium',
    cell: ({ fetched_at }) => <At at={fetched_at} />,
    sortBy: ({ fetched_at }) => (fetched_at === null ? 0 : Date.parse(fetched_at)),
  },
  {
    id: 'address',
    header: 'Address',
    width: '18rem',
    from: 'medium',
    cell: ({ url }) => <TextCell text={url} mono />,
    sortBy: ({ url }) => url,
  },
];

function nameOf({ id, suite, component }: HostRepository): string {
  return suite === '' ? id : component === '' ? suite : `${suite} (${component})`;
}

/** A repository that is disabled or unused does not count as outdated. */
function stateOf({ enabled, used, state }: HostRepository): string {
  return !enabled ? 'Disabled' : used ? repositoryWords[state].words : 'Not used';
}

function State({ copy }: { readonly copy: HostRepository }) {
  const { tone, meaning } = repositoryWords[copy.state];
  return (
    <Badge tone={copy.used ? tone : 'neutral'} title={copy.used ? meaning : notUsed}>
      {stateOf(copy)}
    </Badge>
  );
}

const notUsed = 'The host takes no packages from it, so it does not count for the host.';

function At({ at }: { readonly at: string | null }) {
  return at === null ? 'Not known' : <Time at={at} />;
}
