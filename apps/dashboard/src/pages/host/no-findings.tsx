import type { HostDetail } from '@plimsoll/contract';
import { CircleHelp, SearchX, ShieldCheck } from 'lucide-react';
import { Empty } from '../../design/states.tsx';
import { Time } from '../../design/time.tsx';
import { HostLink } from './host-link.tsx';
import { useHostSearch } from './use-host-search.ts';

/** What it means that no finding is listed. */
export function NoFindings({ host }: { readonly host: HostDetail }) {
  const [{ severity, fix, exploited, at }] = useHostSearch();
  const isFiltered = severity !== undefined || exploited !== undefined || fix === 'unfixed';
  if (isFiltered) {
    return (
      <Empty
        title="No finding matches"
        icon={SearchX}
        action={
          <HostLink search={{ tab: 'vulnerable', ...(at !== undefined && { at }) }}>
            Show all findings with a fix
          </HostLink>
        }
      />
    );
  }
  const unfixed = host.unfixed_count > 0 && fix === undefined && at === undefined && (
    <HostLink search={{ tab: 'vulnerable', fix: 'unfixed' }}>Without a fix: {host.unfixed_count}</HostLink>
  );
  return <Meaning host={host} action={unfixed} />;
}

function Meaning({ host, action }: { readonly host: HostDetail; readonly action: React.ReactNode }) {
  if (host.status === 'new' || host.snapshot_collected_at === null) {
    return (
      <Empty title="Not known yet" icon={CircleHelp}>
        The host has sent no report. Zero means here that nobody knows.
      </Empty>
    );
  }
  switch (host.coverage) {
    case 'full':
      return (
        <Empty title="No vulnerability with a fix" icon={ShieldCheck} action={action}>
          Every installed package was judged, by advisories read <Time at={host.feed_updated_at} />.
        </Empty>
      );
    case 'partial':
      return (
        <Empty title="None found in what could be judged" icon={ShieldCheck} action={action}>
          Of{' '}
          <HostLink search={{ tab: 'packages', verdict: 'unknown' }}>
            {host.unknown_count} installed packages
          </HostLink>{' '}
          nobody can say whether they are vulnerable.
        </Empty>
      );
    case 'stale':
      return (
        <Empty title="None found, by old advisories" icon={CircleHelp} action={action}>
          The advisories were read <Time at={host.feed_updated_at} />: what was published since is not in
          them. Sync the feed under Settings.
        </Empty>
      );
    case 'none':
      return (
        <Empty title="Not known" icon={CircleHelp} action={action}>
          Zero means here that we do not know: there are no advisories for this release. Sync or import its
          feed under Settings.
        </Empty>
      );
    case 'eol':
      return (
        <Empty title="Not known any more" icon={CircleHelp} action={action}>
          Zero means here that we do not know: the release is out of support, and nobody publishes advisories
          for it any more. Upgrade the host to a supported release.
        </Empty>
      );
    default:
      return host.coverage satisfies never;
  }
}
