import type { FleetSummary } from '@plimsoll/contract';
import { CircleHelp, SearchX, ShieldCheck } from 'lucide-react';
import { useApi } from '../../api/queries.ts';
import { Button, LinkButton } from '../../design/button.tsx';
import { groupedNumber, hostsInWords } from '../../design/number-words.ts';
import { Empty } from '../../design/states.tsx';
import { Time } from '../../design/time/time.tsx';
import { noneOpenInWords } from '../../words/no-finding-words.ts';
import { type FindingsSearch, useFindingsSearch } from './findings-search.ts';

const noFilters = {
  q: undefined,
  severity: undefined,
  known_exploited: undefined,
  fix_state: undefined,
  overdue: undefined,
  only_waived: undefined,
  tag: undefined,
  first_seen_before: undefined,
  advisory: undefined,
  cve: undefined,
  package: undefined,
  host: undefined,
};

/** Text for an empty list: says what is known, and what is not. `unknown`: hosts that may have more findings. */
export function NoFindings({ unknown }: { readonly unknown: number }) {
  const [search, change] = useFindingsSearch();
  const { data: fleet } = useApi('/fleet/summary');
  const { group_by: _grouping, include_waived: _waived, ...filters } = search;
  if (Object.keys(filters).length > 0)
    return (
      <Empty
        title="No finding matches"
        icon={SearchX}
        action={
          <>
            {leavesWaivedOut(search) && <WithWaived onPress={() => change({ include_waived: 'true' })} />}
            <Button onPress={() => change(noFilters)}>Remove the filters</Button>
          </>
        }
      >
        {unknown > 0 && `${hostsInWords(unknown)} cannot be checked, or not completely. `}
        {leavesWaivedOut(search) && 'Waived findings are left out.'}
      </Empty>
    );
  if (fleet === undefined) return <Empty title="No open findings are known" icon={CircleHelp} />;
  if (fleet.hosts === 0)
    return (
      <Empty
        title="No findings yet"
        icon={CircleHelp}
        action={<LinkButton to="/hosts">Show the hosts</LinkButton>}
      >
        No host is approved.
      </Empty>
    );
  const isKnown = unknown === 0;
  const isWaivedLeftOut = leavesWaivedOut(search) && fleet.findings.waived > 0;
  return (
    <Empty
      title={noneOpenInWords({ areWaivedLeftOut: isWaivedLeftOut, isKnown })}
      icon={!isKnown ? CircleHelp : isWaivedLeftOut ? SearchX : ShieldCheck}
      action={isWaivedLeftOut && <WithWaived onPress={() => change({ include_waived: 'true' })} />}
    >
      <KnownWhen fleet={fleet} />
      {!isKnown &&
        ` ${groupedNumber(unknown)} of ${hostsInWords(fleet.hosts)} cannot be checked, or not completely.`}
    </Empty>
  );
}

function WithWaived({ onPress }: { readonly onPress: () => void }) {
  return <Button onPress={onPress}>Search waived findings too</Button>;
}

/** Whether findings of which everything is waived are not in the list. */
function leavesWaivedOut({ include_waived, only_waived }: FindingsSearch): boolean {
  return include_waived !== 'true' && only_waived !== 'true';
}

function KnownWhen({ fleet }: { readonly fleet: FleetSummary }) {
  const { oldest_updated_at: oldest } = fleet.feeds;
  return (
    <>
      As of <Time at={fleet.as_of} />,{' '}
      {oldest === null ? (
        'without advisories of every feed in use'
      ) : (
        <>
          advisories of <Time at={oldest} />
        </>
      )}
      .
    </>
  );
}
