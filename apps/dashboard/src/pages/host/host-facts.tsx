import type { HostDetail } from '@plimsoll/contract';
import { modeSentences, statusOf } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../design/badge.tsx';
import { Facts } from '../../design/page/facts.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { dateInWords } from '../../design/time/moment-words.ts';
import { Time } from '../../design/time/time.tsx';
import { GapBadge, StatusBadge } from '../../words/badges.tsx';
import { agedDate, gapsAmong, reasonOf, reportedAt, sentence } from '../../words/knowledge.ts';
import { rhythmInWords } from '../../words/rhythm-words.ts';
import { systemInWords } from '../../words/system-words.ts';
import styles from './host.module.css';
import { HostLink } from './host-link.tsx';

/** System, report and coverage of a host, with the gaps in what is known. */
export function HostFacts({ host }: { readonly host: HostDetail }) {
  const isRetired = host.approval_status === 'retired';
  return (
    <div className={styles['stack']}>
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
            <WithMeaning
              key="status"
              meaning={isRetired ? 'In no list and in no total.' : statusOf(host).meaning}
            >
              {isRetired ? <Badge tone="neutral">Retired</Badge> : <StatusBadge status={host.status} />}
              {host.status !== 'new' && (
                <span>
                  {host.onboarding_mode === 'manual' ? 'report uploaded' : 'seen'}{' '}
                  <Time at={host.last_seen_at} />
                </span>
              )}
            </WithMeaning>,
          ],
          [
            'Last report',
            <WithMeaning key="report" meaning={modeSentences[host.onboarding_mode]}>
              <LastReport host={host} />
            </WithMeaning>,
          ],
          ['Advisories', <Advisories key="feed" host={host} />],
          ['Updates installed', <Rhythm key="rhythm" host={host} />],
          ['Tags', <Tags key="tags" tags={host.tags} />],
        ]}
      />
      <Gaps host={host} />
    </div>
  );
}

/** How often the host installs updates, or why that is not known. */
function Rhythm({ host: { status, patch_rhythm: rhythm } }: { readonly host: HostDetail }) {
  const { last_round_at } = rhythm;
  if (status === 'new') return <>Not known yet</>;
  return (
    <span className={styles['tight']}>
      <span>
        {last_round_at === null ? (
          'No update seen in its reports'
        ) : (
          <>Last on {dateInWords(new Date(last_round_at), 'UTC')}</>
        )}
      </span>
      <span className={styles['muted']}>{rhythmInWords(rhythm)}</span>
    </span>
  );
}

function System({ host }: { readonly host: HostDetail }) {
  if (host.os_name === '') return <>Not known yet</>;
  const { judged_as: judgedAs, support_ends_at: end } = host;
  const support =
    end === null
      ? ''
      : `support until ${dateInWords(new Date(end), 'UTC')}${host.support_extended ? ' by its subscription or repositories' : ''}`;
  const isOther = judgedAs !== null && !judgedAs.startsWith(`${host.os_name}:`);
  const words = [isOther ? `judged as ${judgedAs}` : '', support].filter((text) => text !== '');
  return (
    <span className={styles['tight']}>
      <ForeignText text={systemInWords(host)} oneLine />
      {words.length > 0 && <span className={styles['muted']}>{words.join(', ')}</span>}
    </span>
  );
}

function LastReport({ host }: { readonly host: HostDetail }) {
  if (host.status === 'new') return <>None yet</>;
  return (
    <>
      <Time at={reportedAt(host)} />
      <HostLink search={{ tab: 'history' }}>History</HostLink>
    </>
  );
}

/** Each gap with its reason on this host. */
function Gaps({ host }: { readonly host: HostDetail }) {
  const found = gapsAmong(host);
  if (found.length === 0) return null;
  const now = Date.now();
  return (
    <section className={styles['tight']}>
      <h3>What is not known</h3>
      <ul className={styles['gaps']}>
        {found.map((gap) => (
          <li key={gap} className={styles['tight']}>
            <span>
              <GapBadge gap={gap} />
            </span>
            <span className={styles['muted']}>
              {gap === 'packages_unchecked' && host.unknown_count > 0 ? (
                <HostLink search={{ tab: 'packages', verdict: 'unknown' }}>
                  {host.unknown_count} not checked
                </HostLink>
              ) : (
                sentence(reasonOf(gap, host, now))
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Advisories({ host }: { readonly host: HostDetail }) {
  if (host.status === 'new') return <>Not known yet</>;
  if (host.feed_updated_at === null || host.gaps.includes('no_feed')) return <>No data for this release</>;
  return <>Data as of {agedDate(host.feed_updated_at, Date.now())}</>;
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

function WithMeaning({
  meaning,
  children,
}: {
  readonly meaning: string;
  readonly children: React.ReactNode;
}) {
  return (
    <span className={styles['tight']}>
      <span className={styles['inline']}>{children}</span>
      <span className={styles['muted']}>{meaning}</span>
    </span>
  );
}
