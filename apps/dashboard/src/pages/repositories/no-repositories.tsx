import type { FleetSummary } from '@plimsoll/contract';
import { CircleHelp, ServerOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useApi } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { hostsInWords } from '../../design/number-words.ts';
import { Empty } from '../../design/states.tsx';

/** Text for an empty list of repositories: nothing is known, so it must not look like good news. */
export function NoRepositories() {
  const { data: fleet } = useApi('/fleet/summary');
  if (fleet?.hosts === 0) return <Empty title="No approved hosts" icon={ServerOff} />;
  return (
    <Empty title="No repositories are known yet" icon={CircleHelp}>
      <NoDatesYet />
    </Empty>
  );
}

/** Text for zero outdated repositories; says on how many hosts their state is not known. */
export function NoneOutdated({ onShowAll }: { readonly onShowAll: () => void }): ReactNode {
  const { data: fleet } = useApi('/fleet/summary');
  return (
    <Empty
      title="No repository is known to be outdated"
      icon={CircleHelp}
      action={<Button onPress={onShowAll}>Show all repositories</Button>}
    >
      {fleet !== undefined && knowledgeOf(fleet)}
    </Empty>
  );
}

/** Why the dates of repositories are not known. */
export function NoDatesYet(): ReactNode {
  return 'No approved host has reported the dates of its repositories. Collectors before 0.2.0 do not report them, so outdated repositories cannot be found yet.';
}

function knowledgeOf({ hosts, by_gap, by_repositories_state: { unknown } }: FleetSummary): string {
  if (hosts === 0) return 'There is no approved host.';
  if (unknown > 0) return `Whether the repositories of ${hostsInWords(unknown)} are current is not known.`;
  return by_gap.report_outdated > 0
    ? `The repositories of every approved host were compared; the last report of ${hostsInWords(by_gap.report_outdated)} is old.`
    : 'The repositories of every approved host were compared.';
}
