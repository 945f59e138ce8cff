import { PackageSearch } from 'lucide-react';
import { Page } from '../../design/page/page.tsx';
import { Empty } from '../../design/states.tsx';
import { OtherPackages } from './other-packages.tsx';
import { PackageInFleet } from './package-in-fleet.tsx';
import { PackageQuestion } from './package-question.tsx';
import { usePackagesSearch } from './use-packages-search.ts';

/** Finds hosts by a package and its version. */
export function PackagesPage() {
  const [{ name, version_lt, version }] = usePackagesSearch();
  return (
    <Page title="Packages" lead="Find the approved hosts that have a package, and its versions.">
      <PackageQuestion />
      {name === undefined ? (
        <Empty title="Choose a package" icon={PackageSearch}>
          Type the start of its name. Installed packages are suggested.
        </Empty>
      ) : (
        <>
          <OtherPackages name={name} versionBelow={version_lt} />
          <PackageInFleet
            key={`${name} ${version_lt ?? ''}`}
            name={name}
            versionBelow={version_lt}
            version={version}
          />
        </>
      )}
    </Page>
  );
}
