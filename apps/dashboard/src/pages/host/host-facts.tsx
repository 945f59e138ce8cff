import type { HostDetail } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { Facts } from '../../design/facts.tsx';
import { ForeignText } from '../../design/foreign-text.tsx';
import { Time } from '../../design/time.tsx';
import { CoverageBadge, StatusBadge } from '../../words/badges.tsx';
import { coverageWords, modeSentences, statusWords } from '../../words/host-words.ts';
import styles from './host.module.css';
import { HostLink } from './host-link.tsx';

/** What a host is, how fresh what we know of it is, and how far that can be believed. */
export function HostFacts({ host }: { readonly host: HostDetail }) {
  return (
    <Facts
      facts={[
        ['Operating system', <System key="system" host={host} />],
        ['Architecture', <ForeignText key="arch" text={host.architecture || '–'} oneLine />],
        [
          'Hostname and address',
          <span key="address" className={styles['tight']}>
            <ForeignText text={host.hostname} oneLine />
            {host.ip_address !== null && <ForeignText text={host.ip_address} oneLine mono />}
          </span>,
        ],
        [
          'Status',
          <Meant key="status" meaning={statusWords[host.status].meaning}>
            <StatusBadge status={host.status} />
            <span>
              seen <Time at={host.last_seen_at} />
            </span>
          </Meant>,
        ],
        ['Coverage', <Coverage key="coverage" host={host} />],
        [
          'Last report',
          <Meant key="report" meaning={modeSentences[host.onboarding_mode]}>
            <HostLink search={{ tab: 'history' }}>
              {host.snapshot_collected_at === null && host.status !== 'new' ? (
                'does not say when'
              ) : (
                <Time at={host.snapshot_collected_at} />
              )}
            </HostLink>
          </Meant>,
        ],
        ['Advisories', <Advisories key="feed" host={host} />],
        ['Tags', <Tags key="tags" tags={host.tags} />],
      ]}
    />
  );
}

function System({ host }: { readonly host: HostDetail }) {
  if (host.os_name === '') return <>Not known yet</>;
  return <ForeignText text={`${host.os_name} ${host.os_version}`} oneLine />;
}

function Coverage({ host }: { readonly host: HostDetail }) {
  if (host.status === 'new') return <>Not known yet</>;
  return (
    <Meant meaning={coverageWords[host.coverage].meaning}>
      <CoverageBadge coverage={host.coverage} />
      {host.unknown_count > 0 && (
        <HostLink search={{ tab: 'packages', verdict: 'unknown' }}>{host.unknown_count} not checked</HostLink>
      )}
    </Meant>
  );
}

function Advisories({ host }: { readonly host: HostDetail }) {
  if (host.status === 'new') return <>Not known yet</>;
  if (host.feed_updated_at === null) return <>None for this release</>;
  return (
    <>
      read <Time at={host.feed_updated_at} />
    </>
  );
}

function Tags({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return <>–</>;
  return (
    <span className={styles['inline']}>
      {tags.map((tag) => (
        <Link key={tag} to="/hosts" search={{ tag }}>
          <ForeignText text={tag} />
        </Link>
      ))}
    </span>
  );
}

function Meant({ meaning, children }: { readonly meaning: string; readonly children: React.ReactNode }) {
  return (
    <span className={styles['tight']}>
      <span className={styles['inline']}>{children}</span>
      <span className={styles['muted']}>{meaning}</span>
    </span>
  );
}
