import type { PlannedHost } from '@plimsoll/contract';
import { dueWords, rebootReason } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { amountInWords, groupedNumber } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { LongTable } from '../../design/table/long-table.tsx';
import { CopyField } from '../../design/text/copy-field.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Time } from '../../design/time/time.tsx';
import { planStateWord } from '../../words/plan-words.ts';
import { FoldedTable } from '../host/folded-table.tsx';
import { EvidenceFirst } from '../host/plan/evidence-first.tsx';
import { closedAdvisoryColumns, leftOutColumns, plannedColumns } from '../host/plan/plan-columns.tsx';
import styles from './plans.module.css';

/** Up to this number of hosts their packages are shown at once. */
const openAtOnce = 20;
const shownFirst = 50;

/** Each host of a plan. */
export function PlanHosts({ hosts }: { readonly hosts: readonly PlannedHost[] }) {
  const [shown, setShown] = useState(shownFirst);
  const isOpen = hosts.length <= openAtOnce;
  return (
    <Panel title="Hosts">
      {hosts.slice(0, shown).map((host) => (
        <HostPlan key={host.host_id} host={host} isOpen={isOpen} />
      ))}
      {shown < hosts.length && (
        <div className={styles['buttons']}>
          <Button onPress={() => setShown(shown + 200)}>
            Show more of {groupedNumber(hosts.length)} hosts
          </Button>
        </div>
      )}
    </Panel>
  );
}

function HostPlan({ host, isOpen }: { readonly host: PlannedHost; readonly isOpen: boolean }) {
  const { words, tone, meaning } = planStateWord(host);
  const stays = host.stays_open.reduce((sum, { advisories }) => sum + advisories, 0);
  const Packages = isOpen ? OpenPackages : FoldedPackages;
  return (
    <article className={styles['host']} aria-label={host.display_name.slice(0, 100)}>
      <div className={styles['hostHead']}>
        <h3>
          <Link to="/hosts/$id" params={{ id: host.host_id }} search={{ tab: 'updates' }}>
            <ForeignText text={host.display_name} />
          </Link>
        </h3>
        <Badge tone={tone} title={meaning}>
          {words}
        </Badge>
        <span className={styles['muted']}>
          {host.snapshot_id === null ? (
            'no report'
          ) : (
            <>
              report <Time at={host.snapshot_received_at} />
            </>
          )}
        </span>
      </div>
      {host.notes.map(({ code, detail }) => (
        <p key={code}>{detail}</p>
      ))}
      <EvidenceFirst advisories={host.forensics_first} />
      {host.not_covered !== null && <p>Not in script and playbook: {host.not_covered.detail}</p>}
      {host.state === 'planned' && (
        <p>
          {host.packages.length === 0
            ? 'No package changes'
            : amountInWords(host.packages.length, 'package changes', 'packages change')}
          , {amountInWords(host.closes.length, 'advisory is closed', 'advisories are closed')}. Reboot
          afterwards: {dueWords[host.reboot.state].words.toLowerCase()}.
        </p>
      )}
      {host.state === 'planned' &&
        host.reboot.reasons.map(({ code, detail }) => (
          <p key={code} className={styles['muted']}>
            {rebootReason(code)}
            {detail !== '' && (
              <>
                : <ForeignText text={detail} />
              </>
            )}
          </p>
        ))}
      <Packages host={host} />
      <FoldedTable
        label={`Advisories closed on ${host.display_name.slice(0, 100)}`}
        words={['advisory is closed', 'advisories are closed']}
        columns={closedAdvisoryColumns}
        rows={host.closes}
        rowId={({ id, after_reboot }) => `${id}:${after_reboot}`}
      />
      <FoldedTable
        label={`Offers left out on ${host.display_name.slice(0, 100)}`}
        words={['offer is left out', 'offers are left out']}
        columns={leftOutColumns}
        rows={host.left_out}
        rowId={packageId}
      />
      {stays > 0 && (
        <div className={styles['tight']}>
          <p>{amountInWords(stays, 'advisory stays open', 'advisories stay open')}:</p>
          <ul className={styles['list']}>
            {host.stays_open.map(({ fix_state, reason, advisories, known_exploited }) => (
              <li key={fix_state}>
                {groupedNumber(advisories)}: {reason}
                {known_exploited > 0 && ` ${groupedNumber(known_exploited)} known to be exploited.`}
              </li>
            ))}
          </ul>
        </div>
      )}
      {host.command !== null && (
        <CopyField text={host.command} what={`command for ${host.display_name.slice(0, 100)}`} />
      )}
    </article>
  );
}

function packageId({
  name,
  architecture,
  to_version,
}: PlannedHost['packages'][number] | PlannedHost['left_out'][number]): string {
  return `${name}:${architecture}:${to_version}`;
}

function FoldedPackages({ host }: { readonly host: PlannedHost }) {
  return (
    <FoldedTable
      label={`Packages that change on ${host.display_name.slice(0, 100)}`}
      words={['package changes', 'packages change']}
      columns={plannedColumns}
      rows={host.packages}
      rowId={packageId}
    />
  );
}

function OpenPackages({ host }: { readonly host: PlannedHost }) {
  if (host.packages.length === 0) return null;
  return (
    <LongTable
      label={`Packages that change on ${host.display_name.slice(0, 100)}`}
      columns={plannedColumns}
      rows={host.packages}
      rowId={packageId}
    />
  );
}
