import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PackageSearch } from 'lucide-react';
import { useState } from 'react';
import { apiQuery, useApi } from '../../api/queries.ts';
import { DelayedSearch } from '../../design/form/delayed-search.tsx';
import { SuggestField, type Suggestion } from '../../design/form/suggest-field.tsx';
import { Notice } from '../../design/notice.tsx';
import { hostsInWords } from '../../design/number-words.ts';
import { Page } from '../../design/page/page.tsx';
import { Empty } from '../../design/states.tsx';
import { PackageInFleet } from './package-in-fleet.tsx';
import styles from './packages.module.css';
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

interface OtherPackagesProps {
  readonly name: string;
  readonly versionBelow: string | undefined;
}

/** The most packages that are named; a source package has at most a few dozen that hosts have. */
const mostNames = '100';

/** Packages built from a source package of this name: a question about openssl can mean libssl3, too. */
function OtherPackages({ name, versionBelow }: OtherPackagesProps) {
  const { data = [] } = useApi('/package-names', { query: { source: name, limit: mostNames } });
  const others = data.filter((other) => other.name !== name);
  if (others.length === 0) return null;
  return (
    <Notice tone="neutral">
      <p>
        Other packages are built from the source package {name}. Their hosts are not listed here:{' '}
        {others.map((other, index) => (
          <span key={other.name}>
            {index > 0 && ', '}
            <Link
              to="/packages"
              search={{ name: other.name, ...(versionBelow !== undefined && { version_lt: versionBelow }) }}
            >
              {other.name}
            </Link>{' '}
            on {hostsInWords(other.hosts)}
          </span>
        ))}
        .
      </p>
    </Notice>
  );
}

const none: readonly Suggestion[] = [];

/** Form for a package name and an upper version. */
function PackageQuestion() {
  const [{ name = '', version_lt = '' }, ask] = usePackagesSearch();
  const [typed, setTyped] = useState('');
  const names = useQuery({
    ...apiQuery('/package-names', { query: { q: typed } }),
    enabled: typed !== '',
    placeholderData: keepPreviousData,
  });
  const suggestions =
    typed === '' || names.data === undefined
      ? none
      : names.data.map(({ name: text, hosts }) => ({
          text,
          detail: `on ${hosts} ${hosts === 1 ? 'host' : 'hosts'}`,
        }));
  return (
    <search className={styles['question']} aria-label="Packages">
      <SuggestField
        label="Package"
        placeholder="openssh-server"
        value={name}
        suggestions={suggestions}
        nothing={names.isFetching ? 'Searching…' : 'No approved host has a package with this name.'}
        onType={setTyped}
        onChoose={(chosen) => ask(chosen === '' ? {} : { name: chosen })}
      />
      {name !== '' && (
        <div className={styles['below']}>
          <span className={styles['label']} aria-hidden>
            Only below version
          </span>
          <DelayedSearch
            label="Only below version"
            placeholder="1:9.2p1-2+deb12u3"
            value={version_lt}
            onSearch={(bound) => ask({ name, ...(bound !== '' && { version_lt: bound }) })}
          />
        </div>
      )}
    </search>
  );
}
