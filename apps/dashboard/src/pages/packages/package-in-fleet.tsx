import { Link } from '@tanstack/react-router';
import { PackageX } from 'lucide-react';
import { useApiPages } from '../../api/pages.ts';
import { useApi } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { hostsInWords } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { HostsWithPackage } from './hosts-with-package.tsx';
import { usePackagesSearch } from './use-packages-search.ts';
import { VersionsInFleet } from './versions-in-fleet.tsx';

/** The largest page: versions are counted on the hosts that were read. */
const pageRows = 1_000;

interface PackageInFleetProps {
  readonly name: string;
  readonly versionBelow: string | undefined;
  readonly version: string | undefined;
}

/** The versions of a package in the fleet, and its hosts. */
export function PackageInFleet({ name, versionBelow, version }: PackageInFleetProps) {
  const query = useApiPages('/packages', pageRows, {
    query: { name, ...(versionBelow !== undefined && { version_lt: versionBelow }) },
  });
  return (
    <Loaded query={query} what="Reading the hosts">
      {({ rows, total, headers }) =>
        total === 0 ? (
          <>
            <PackageAnswerNotes headers={headers} />
            <NoHost versionBelow={versionBelow} name={name} />
          </>
        ) : (
          <>
            <PackageAnswerNotes headers={headers} />
            <Panel title="Versions" flush>
              <VersionsInFleet rows={rows} total={total} chosen={version} query={query} />
            </Panel>
            <Panel title="Hosts" flush>
              <HostsWithPackage
                name={name}
                versionBelow={versionBelow}
                rows={rows}
                total={total}
                version={version}
                query={query}
              />
            </Panel>
          </>
        )
      }
    </Loaded>
  );
}

function NoHost({ name, versionBelow }: Pick<PackageInFleetProps, 'name' | 'versionBelow'>) {
  const [, ask] = usePackagesSearch();
  if (versionBelow === undefined) {
    return (
      <Empty title="No approved host has this package" icon={PackageX}>
        The name must match exactly. Choose a suggestion while you type.
      </Empty>
    );
  }
  return (
    <Empty
      title="No approved host has so low a version"
      icon={PackageX}
      action={<Button onPress={() => ask({ name })}>Show all versions</Button>}
    >
      Versions are compared as each host’s package manager does. Hosts that have sent no report are not among
      them.
    </Empty>
  );
}

interface PackageAnswerNotesProps {
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Limits of the list: epochs, versions that cannot be compared, hosts without a report or with an old one. */
function PackageAnswerNotes({ headers }: PackageAnswerNotesProps) {
  const uncompared = Number(headers['plimsoll-not-comparable'] ?? 0);
  const unreported = Number(headers['plimsoll-not-reported'] ?? 0);
  const { data: fleet } = useApi('/fleet/summary');
  const outdated = fleet?.by_gap.report_outdated ?? 0;
  const isWithoutEpochs = headers['plimsoll-epochs'] === 'ignored';
  if (!isWithoutEpochs && uncompared === 0 && unreported === 0 && outdated === 0) return null;
  return (
    <Notice tone="neutral">
      {isWithoutEpochs && (
        <p>
          Epochs were ignored, because the version was given without one. Put one before it, as in 1:3.0.1, to
          compare them too.
        </p>
      )}
      {uncompared > 0 && (
        <p>
          {hostsInWords(uncompared)} {uncompared === 1 ? 'has' : 'have'} a version that cannot be compared,
          and {uncompared === 1 ? 'is' : 'are'} listed.
        </p>
      )}
      {unreported > 0 && (
        <p>
          <Link to="/hosts" search={{ gap: 'no_report', approval_status: 'approved' }}>
            {hostsInWords(unreported)}
          </Link>{' '}
          {unreported === 1 ? 'has' : 'have'} sent no report, so whether the package is there is not known.
        </p>
      )}
      {outdated > 0 && (
        <p>
          <Link to="/hosts" search={{ gap: 'report_outdated', approval_status: 'approved' }}>
            {hostsInWords(outdated)}
          </Link>{' '}
          {outdated === 1 ? 'has' : 'have'} not reported for a while: what is listed here of{' '}
          {outdated === 1 ? 'it' : 'them'} is as of the last report.
        </p>
      )}
    </Notice>
  );
}
