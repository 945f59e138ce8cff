import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { apiQuery } from '../../../api/queries.ts';
import { SearchField } from '../../../design/form/fields.tsx';
import { Loaded } from '../../../design/states.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import styles from '../add-hosts.module.css';

const shownHosts = 8;

/** Finds a host by name or address, to upload a report for it. */
export function ExistingHosts() {
  const [words, setWords] = useState('');
  const q = useDeferredValue(words.trim());
  const query = useQuery({
    ...apiQuery('/hosts', { query: { limit: String(shownHosts), ...(q !== '' && { q }) } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <SearchField label="Search by name or address" value={words} onChange={setWords} maxLength={253} />
      <Loaded query={query}>
        {(hosts) =>
          hosts.length === 0 ? (
            <p role="status" className={styles['lead']}>
              {q === '' ? 'No hosts yet.' : 'No matching host.'}
            </p>
          ) : (
            <ul className={styles['list']} aria-label="Hosts">
              {hosts.map(({ id, display_name, hostname }) => (
                <li key={id}>
                  <Link to="/add-hosts" search={{ way: 'manual', host: id }}>
                    <ForeignText text={display_name} oneLine />
                  </Link>{' '}
                  {hostname !== display_name && <ForeignText text={hostname} oneLine />}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <p className={styles['lead']}>
        You can upload a report for any host, also for one with an agent or SSH.
      </p>
    </>
  );
}
