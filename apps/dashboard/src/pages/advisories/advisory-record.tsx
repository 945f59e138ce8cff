import type { AdvisoryDetail } from '@plimsoll/contract';
import type { ReactNode } from 'react';
import { Notice } from '../../design/notice.tsx';
import { Facts } from '../../design/page/facts.tsx';
import { Panel } from '../../design/page/page.tsx';
import { ExternalLink } from '../../design/text/external-link.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { ExactTime } from '../../design/time/time.tsx';
import { SeverityBadge } from '../../words/badges.tsx';
import styles from './advisories.module.css';
import { RecordPackages } from './record-packages.tsx';

type Record = AdvisoryDetail['records'][number];

const kinds: Readonly<globalThis.Record<Record['kind'], string>> = {
  vulnerability: 'Vulnerability, assessed per release',
  erratum: 'Erratum: an update with fixes',
};

interface AdvisoryRecordProps {
  readonly record: Record;
  /** Whether it is the only record of the advisory. */
  readonly isOnly: boolean;
}

/** A feed's record of an advisory. */
export function AdvisoryRecord({ record, isOnly }: AdvisoryRecordProps) {
  const { feed, url, withdrawn_at, packages, workarounds } = record;
  const of = isOnly ? '' : ` by ${feed}`;
  return (
    <>
      <Panel
        title={`Advisory${of}`}
        actions={url !== '' && <ExternalLink url={url}>Vendor page</ExternalLink>}
      >
        {withdrawn_at !== null && (
          <Notice tone="important">
            Withdrawn by the vendor on <ExactTime at={withdrawn_at} />. It no longer causes findings.
          </Notice>
        )}
        <Facts facts={factsOf(record, isOnly)} />
      </Panel>
      {workarounds.length > 0 && (
        <Panel title={`Workarounds in the vendor’s words${of}`}>
          <Facts
            facts={workarounds.map(({ text, source_url, packages: about }) => [
              about.length === 0 ? 'All packages' : about.join(', '),
              <span key={text}>
                <ForeignText text={text} /> <ExternalLink url={source_url}>Vendor page</ExternalLink>
              </span>,
            ])}
          />
        </Panel>
      )}
      <Panel title={`Packages and fixed versions${of}`} flush>
        <RecordPackages packages={packages} />
      </Panel>
    </>
  );
}

function factsOf(record: Record, isOnly: boolean): readonly (readonly [name: string, value: ReactNode])[] {
  const { feed, kind, title, severity, cvss, cvss_vector, published_at, modified_at, aliases } = record;
  const facts: (readonly [name: string, value: ReactNode])[] = [
    [
      'Severity',
      severity === null ? 'No packages listed' : <SeverityBadge key="severity" severity={severity} />,
    ],
    ['CVSS', cvss === null ? 'Not stated' : <Cvss key="cvss" score={cvss} vector={cvss_vector} />],
    ['Published', published_at === null ? 'Not stated' : <ExactTime key="published" at={published_at} />],
    ['Last changed', modified_at === null ? 'Not stated' : <ExactTime key="modified" at={modified_at} />],
    ['Kind', kinds[kind]],
    ['Feed', feed],
  ];
  // The page's heading already shows the only record's title.
  if (!isOnly && title !== '') facts.unshift(['Title', <ForeignText key="title" text={title} />]);
  if (aliases.length > 0) facts.push(['Aliases', <Aliases key="aliases" aliases={aliases} />]);
  return facts;
}

function Cvss({ score, vector }: { readonly score: number; readonly vector: string | null }) {
  return (
    <>
      <strong>{score.toFixed(1)}</strong>{' '}
      {vector !== null && (
        <span className={styles['muted']}>
          <ForeignText text={vector} mono />
        </span>
      )}
    </>
  );
}

function Aliases({ aliases }: { readonly aliases: readonly string[] }) {
  return (
    <ul className={styles['list']}>
      {aliases.map((alias) => (
        <li key={alias}>
          <ForeignText text={alias} />
        </li>
      ))}
    </ul>
  );
}
