import type { Due, VulnerablePackage } from '@plimsoll/contract';
import { assumptionWords, clockWords, undatedWords } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { ExternalLink } from '../../../design/text/external-link.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import { ExactTime, Time } from '../../../design/time/time.tsx';
import { ExploitedBadge, FixBadge, SeverityBadge } from '../../../words/badges.tsx';
import { epssWords } from '../../../words/epss-words.ts';
import { Struck, WaivedBadge } from '../../../words/waived.tsx';
import { WaiveButton } from '../../waivers/new/waive-button.tsx';
import type { WaiverSubject } from '../../waivers/new/waiver-subject.ts';
import styles from '../host.module.css';

type Advisory = VulnerablePackage['advisories'][number];

interface OpenAdvisoryProps {
  readonly advisory: Advisory;
  /** Absent: its risk cannot be accepted here. */
  readonly subject?: WaiverSubject;
}

/** An open advisory of a finding, with its vulnerabilities and a link to the vendor's page. */
export function OpenAdvisory({ advisory, subject }: OpenAdvisoryProps) {
  const {
    id,
    title,
    severity,
    severity_source,
    fix_state,
    fixed_version,
    published_at,
    url,
    cves,
    due,
    waiver,
    workarounds = [],
  } = advisory;
  return (
    <article className={styles['article']}>
      <div className={styles['inline']}>
        <h4>
          <Struck by={waiver}>
            <Link to="/advisories/$id" params={{ id }} search={{}}>
              <ForeignText text={id} />
            </Link>
          </Struck>
        </h4>
        <SeverityBadge severity={severity} />
        <FixBadge state={fix_state} />
        {waiver !== undefined && <WaivedBadge waiver={waiver} />}
        {severity_source === 'cves' && (
          <span className={styles['muted']}>Severity derived from the vendor's ratings of its CVEs</span>
        )}
        {severity_source === 'cvss' && (
          <span className={styles['muted']}>Severity from CVSS: the vendor gives none</span>
        )}
      </div>
      {title !== '' && (
        <p>
          <ForeignText text={title} />
        </p>
      )}
      <p className={styles['muted']}>
        {fixed_version === null ? (
          'No fix is published'
        ) : (
          <>
            Fixed in <ForeignText text={fixed_version} mono />
          </>
        )}
        {published_at !== null && (
          <>
            {' · published '}
            <Time at={published_at} />
          </>
        )}
        {url !== '' && (
          <>
            {' · '}
            <ExternalLink url={url}>
              <VendorsPage url={url} />
            </ExternalLink>
          </>
        )}
      </p>
      {workarounds.map(({ text, source_url }) => (
        <p key={text}>
          Workaround in the vendor’s words: <ForeignText text={text} />{' '}
          <ExternalLink url={source_url}>Vendor page</ExternalLink>
        </p>
      ))}
      {due !== null && <AdvisoryDue due={due} />}
      {cves.length > 0 && <Cves cves={cves} />}
      {subject !== undefined && (
        <div>
          <WaiveButton subject={subject} look="quiet" label={`Accept or snooze… of ${printable(id, 60)}`} />
        </div>
      )}
    </article>
  );
}

/** Addresses other than http(s) are shown as text. */
function VendorsPage({ url }: { readonly url: string }) {
  return /^https?:/i.test(url) ? 'Vendor page' : <ForeignText text={url} oneLine />;
}

function Cves({ cves }: Pick<Advisory, 'cves'>) {
  return (
    <ul className={styles['list']}>
      {cves.map(({ id, cvss, cvss_vector, epss, known_exploited }) => (
        <li key={id} className={styles['inline']}>
          <Link to="/cves/$id" params={{ id }}>
            <ForeignText text={id} />
          </Link>
          {cvss !== null && <span title={cvss_vector ?? undefined}>CVSS {cvss.toFixed(1)}</span>}
          {epss !== null && <span>EPSS {epssWords(epss)}</span>}
          {known_exploited && <ExploitedBadge />}
        </li>
      ))}
    </ul>
  );
}

/** By when an advisory is to be closed, and why. */
function AdvisoryDue({ due }: { readonly due: Due }) {
  const { at, undated, rule, days, clock, started_at, forensics, cve, assumptions } = due;
  return (
    <div className={styles['muted']}>
      <p>
        {at === null ? (
          undatedWords[undated ?? 'no_rule']
        ) : (
          <>
            {Date.parse(at) <= Date.now() ? 'Overdue since ' : 'Due '}
            <ExactTime at={at} />: {days} {days === 1 ? 'day' : 'days'} after{' '}
            {clockWords[clock ?? 'published']}
            {started_at !== null && (
              <>
                {' on '}
                <ExactTime at={started_at} />
              </>
            )}
          </>
        )}
        {rule !== null && ` (rule ${rule}`}
        {rule !== null && cve !== null && (
          <>
            {' for '}
            <ForeignText text={cve} oneLine />
          </>
        )}
        {rule !== null && ')'}
        {forensics && '. The host is to be examined for traces of an attack before it is changed'}.
      </p>
      {assumptions.map((assumption) => (
        <p key={assumption}>{assumptionWords[assumption]}</p>
      ))}
    </div>
  );
}
