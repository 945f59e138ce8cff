import type { Host, HostRepository } from '@plimsoll/contract';
import { gapWords, repositoryAsOf } from '@plimsoll/words';
import { Badge } from '../../../design/badge.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import { TextCell } from '../text-cell.tsx';

/** Columns of the repositories of a host. Keep them stable. */
export function repositoryColumnsOf(host: Pick<Host, 'gaps'>): readonly Column<HostRepository>[] {
  const [name, ...others] = columns;
  return name === undefined ? [] : [name, stateColumnOf(host), ...others];
}

function stateColumnOf(host: Pick<Host, 'gaps'>): Column<HostRepository> {
  return column('state', 'State', {
    width: '9rem',
    cell: (copy) => <State copy={copy} host={host} />,
    sortBy: (copy) => stateOf(copy, host),
  });
}

const columns: readonly Column<HostRepository>[] = [
  column('name', 'Repository', {
    width: '16rem',
    cell: (copy) => <TextCell text={nameOf(copy)} />,
    sortBy: nameOf,
  }),
  column('reason', 'Reason', {
    width: '26rem',
    cell: ({ reason }) => <ForeignText text={reason} />,
  }),
  column('published', 'Published', {
    width: '10rem',
    cell: ({ published_at }) => <At at={published_at} />,
    sortBy: ({ published_at }) => (published_at === null ? 0 : Date.parse(published_at)),
  }),
  column('newest', 'Newest known', {
    width: '10rem',
    from: 'medium',
    cell: ({ newest_known_at }) => <At at={newest_known_at} />,
    sortBy: ({ newest_known_at }) => (newest_known_at === null ? 0 : Date.parse(newest_known_at)),
  }),
  column('fetched', 'Last fetched', {
    width: '10rem',
    from: 'medium',
    cell: ({ fetched_at }) => <At at={fetched_at} />,
    sortBy: ({ fetched_at }) => (fetched_at === null ? 0 : Date.parse(fetched_at)),
  }),
  column('address', 'Address', {
    width: '18rem',
    from: 'medium',
    cell: ({ url }) => <TextCell text={url} mono />,
    sortBy: ({ url }) => url,
  }),
];

function nameOf({ id, suite, component }: HostRepository): string {
  return suite === '' ? id : component === '' ? suite : `${suite} (${component})`;
}

/** A repository that is disabled or unused does not count as outdated. */
function stateOf({ enabled, used, state, error }: HostRepository, host: Pick<Host, 'gaps'>): string {
  if (!enabled) return 'Disabled';
  if (!used) return 'Not used';
  return error === '' ? repositoryAsOf(state, host).words : 'Fails';
}

interface StateProps {
  readonly copy: HostRepository;
  readonly host: Pick<Host, 'gaps'>;
}

function State({ copy, host }: StateProps) {
  const { tone, meaning } =
    copy.error === '' ? repositoryAsOf(copy.state, host) : gapWords.repository_failing;
  return (
    <Badge tone={copy.used ? tone : 'neutral'} title={copy.used ? meaning : notUsed}>
      {stateOf(copy, host)}
    </Badge>
  );
}

const notUsed = 'The host takes no packages from it, so it does not count for the host.';

function At({ at }: { readonly at: string | null }) {
  return at === null ? 'Not known' : <Time at={at} />;
}
