import type { Host } from '@plimsoll/contract';
import { useEffect } from 'react';
import { useApiWithHeaders } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { groupedNumber, hostsInWords } from '../../../design/number-words.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import type { HostQuery } from '../host-query.ts';
import styles from '../hosts.module.css';

/** Hosts that are named at most. */
const namedHosts = 8;

interface DoubtfulProps {
  /** All of them, or the first ones. */
  readonly hosts: readonly Pick<Host, 'id' | 'display_name'>[];
  readonly total: number;
}

/** The first names, and how many more there are. */
export function HostNames({ label, hosts, total }: DoubtfulProps & { readonly label: string }) {
  const named = hosts.slice(0, namedHosts);
  return (
    <ul className={styles['names']} aria-label={label}>
      {named.map(({ id, display_name }) => (
        <li key={id}>
          <ForeignText text={display_name} oneLine />
        </li>
      ))}
      {total > named.length && <li>and {groupedNumber(total - named.length)} more</li>}
    </ul>
  );
}

/** Hosts to look at before they are approved; nothing without any. */
export function Doubtful({ hosts, total }: DoubtfulProps) {
  if (total === 0) return null;
  return (
    <Notice tone="important">
      <p>
        <strong>{hostsInWords(total)} with the machine id of another host:</strong> a clone, or a machine that
        was enrolled twice. Look at their pages before you approve them.
      </p>
      <HostNames label="Hosts with the machine id of another host" hosts={hosts} total={total} />
    </Notice>
  );
}

/** Whether hosts that filters select can be approved and have the machine id of another host. */
export function canBeDoubtful({ approval_status, machine_id_conflict }: HostQuery): boolean {
  return approval_status !== 'approved' && machine_id_conflict !== 'false';
}

interface DoubtfulMatchesProps {
  readonly filters: HostQuery;
  /** Called once they are shown, or the user goes on without knowing them. */
  readonly onShown: () => void;
}

/** The same of the hosts to approve that filters select. Until the answer it says that they are looked for. */
export function DoubtfulMatches({ filters, onShown }: DoubtfulMatchesProps) {
  const query = {
    ...filters,
    approval_status: 'pending',
    machine_id_conflict: 'true',
    limit: `${namedHosts}`,
  } as const;
  const { data, isError } = useApiWithHeaders('/hosts', { query });
  const isShown = data !== undefined;
  useEffect(() => {
    if (isShown) onShown();
  }, [isShown, onShown]);
  if (data !== undefined) return <Doubtful hosts={data.rows} total={data.total} />;
  if (!isError) return <p role="status">Looking for hosts with the machine id of another host…</p>;
  return (
    <Notice tone="important">
      <p>
        Whether hosts have the machine id of another host, such as clones, could not be read. The list marks
        them.
      </p>
      <Button onPress={onShown}>Go on without knowing</Button>
    </Notice>
  );
}
