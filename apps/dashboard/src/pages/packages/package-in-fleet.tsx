import { PackageX } from 'lucide-react';
import { useApiPages } from '../../api/pages.ts';
import { Button } from '../../design/button.tsx';
import { Panel } from '../../design/page/page.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { HostsWithPackage } from './hosts-with-package.tsx';
import { PackageAnswerNotes } from './package-answer-notes.tsx';
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
