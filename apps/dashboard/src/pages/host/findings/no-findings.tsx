import type { HostDetail } from '@plimsoll/contract';
import { CircleHelp, SearchX, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { LinkButton } from '../../../design/button.tsx';
import { groupedNumber } from '../../../design/number-words.ts';
import { Empty } from '../../../design/states.tsx';
import {
  agedDate,
  areFindingsKnown,
  areUnfixedKnown,
  blindingGaps,
  countInWords,
  gapsAmong,
  reasonsInWords,
  sentence,
} from '../../../words/knowledge.ts';
import {
  type EmptyList,
  isNoneCalm,
  leftOutInWords,
  noneListedInWords,
  notListedInWords,
} from '../../../words/no-finding-words.ts';
import { HostLink } from '../host-link.tsx';
import { useHostSearch } from '../host-search.ts';

/** Explains an empty list of findings. */
export function NoFindings({ host }: { readonly host: HostDetail }) {
  const [{ severity, fix, exploited, overdue, waived, negligible, at }] = useHostSearch();
  const isPicked = severity !== undefined || exploited !== undefined || overdue !== undefined;
  if (waived === 'only')
    return (
      <Empty
        title={host.waived_count === 0 ? 'No finding is waived here' : 'No waived finding matches'}
        icon={SearchX}
        action={<AllFindings at={at} />}
      >
        A finding is waived if every open advisory of it is.
      </Empty>
    );
  if (!areFindingsKnown(host))
    return <NotKnown host={host} list={{ fix, isFiltered: isPicked }} action={<Others host={host} />} />;
  if (fix === 'unfixed' && !areUnfixedKnown(host)) {
    return (
      <Empty title="Not known" icon={CircleHelp}>
        {fixesOnly}
      </Empty>
    );
  }
  if (isPicked) {
    const isOnlyOverdue =
      overdue !== undefined && fix === 'all' && severity === undefined && exploited === undefined;
    const title = isOnlyOverdue ? 'No finding is known to be overdue' : 'No finding matches';
    return (
      <Empty
        title={title}
        icon={SearchX}
        action={
          <>
            <AllFindings at={at} />
            <Others host={host} />
          </>
        }
      >
        {leftOutInWords({
          areWaivedLeftOut: waived === undefined && host.waived_count > 0,
          areNegligibleLeftOut: negligible !== 'true',
        })}{' '}
        <NotChecked host={host} fix={fix} />
      </Empty>
    );
  }
  return <NoneFound host={host} />;
}

const fixesOnly = 'The feed for this release lists only vulnerabilities that have a fix.';

function AllFindings({ at }: { readonly at: string | undefined }) {
  return (
    <HostLink search={{ tab: 'vulnerable', ...(at !== undefined && { at }) }}>
      Show all findings with a fix
    </HostLink>
  );
}

/** Links to the known findings that this list leaves out: those without a fix, and waived ones. */
function Others({ host }: { readonly host: HostDetail }) {
  const [{ fix, waived, at }] = useHostSearch();
  if (at !== undefined) return null;
  return (
    <>
      {host.unfixed_count > 0 && fix === undefined && (
        <HostLink search={{ tab: 'vulnerable', fix: 'unfixed' }}>
          Without a fix: {countInWords(host.unfixed_count, true)}
        </HostLink>
      )}
      {host.waived_count > 0 && waived === undefined && (
        <HostLink search={{ tab: 'vulnerable', waived: 'only' }}>
          Waived: {countInWords(host.waived_count, true)}
        </HostLink>
      )}
    </>
  );
}

interface NotKnownProps {
  readonly host: HostDetail;
  readonly list: EmptyList;
  readonly action: ReactNode;
}

/** Text for findings that are not known: the reason, what is known anyway, and what to do. */
function NotKnown({ host, list, action }: NotKnownProps) {
  const [worst] = gapsAmong(host, blindingGaps);
  const isAboutFeeds = worst === 'no_feed' || worst === 'feed_never_synced' || worst === 'feed_outdated';
  return (
    <Empty
      title="Not known"
      icon={CircleHelp}
      action={
        <>
          {action}
          {isAboutFeeds && (
            <LinkButton to="/settings" search={{ tab: 'feeds' }}>
              Show the feeds
            </LinkButton>
          )}
        </>
      }
    >
      {sentence(reasonsInWords(host, blindingGaps, Date.now()))} {notListedInWords(list)}
    </Empty>
  );
}

function NoneFound({ host }: { readonly host: HostDetail }) {
  const [{ fix, waived, negligible, at }] = useHostSearch();
  const list = {
    fix,
    areWaivedLeftOut: waived === undefined && host.waived_count > 0,
    areNegligibleLeftOut: negligible !== 'true',
    areUnfixedKnown: fix === undefined || areUnfixedKnown(host),
    isAllChecked: isAllChecked(host),
  };
  const data =
    host.feed_updated_at === null
      ? 'advisories'
      : `advisories of ${agedDate(host.feed_updated_at, Date.now())}`;
  return (
    <Empty
      title={noneListedInWords(list)}
      icon={isNoneCalm(list, host) ? ShieldCheck : SearchX}
      action={fix === 'unfixed' ? <AllFindings at={at} /> : <Others host={host} />}
    >
      {list.isAllChecked ? 'Every installed package was checked' : 'Checked'} against {data}.
      {list.areWaivedLeftOut && ' Waived packages stay affected.'}
      {list.areNegligibleLeftOut && ' Whether there are negligible ones is not shown.'}{' '}
      <NotChecked host={host} fix={fix} />
    </Empty>
  );
}

function isAllChecked({ unknown_count }: HostDetail): boolean {
  return unknown_count === 0;
}

/** What an empty list does not show, because it is not known. */
function NotChecked({ host, fix }: { readonly host: HostDetail; readonly fix: string | undefined }) {
  return (
    <>
      {fix !== undefined && !areUnfixedKnown(host) && `${fixesOnly} Those without one are not known. `}
      {!isAllChecked(host) && (
        <>
          <HostLink search={{ tab: 'packages', verdict: 'unknown' }}>
            {groupedNumber(host.unknown_count)} installed {host.unknown_count === 1 ? 'package' : 'packages'}
          </HostLink>{' '}
          cannot be checked.
        </>
      )}
    </>
  );
}
