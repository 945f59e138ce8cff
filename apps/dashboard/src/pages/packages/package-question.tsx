import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api/queries.ts';
import { DelayedSearch } from '../../design/form/delayed-search.tsx';
import { SuggestField, type Suggestion } from '../../design/form/suggest-field.tsx';
import styles from './packages.module.css';
import { usePackagesSearch } from './use-packages-search.ts';

const none: readonly Suggestion[] = [];

/** Form for a package name and an upper version. */
export function PackageQuestion() {
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
