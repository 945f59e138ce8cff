import type { HostDetail, VulnerablePackage } from '@plimsoll/contract';
import { fixWords, noteWords } from '@plimsoll/words';
import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Facts } from '../../../design/page/facts.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import { ExploitedBadge, FixBadge, SeverityBadge } from '../../../words/badges.tsx';
import { otherFixStates } from '../../../words/finding-words.ts';
import { WaivedBadge } from '../../../words/waived.tsx';
import { WaiveButton } from '../../waivers/new/waive-button.tsx';
import styles from '../host.module.css';
import { subjectOfFindings } from './finding-subject.ts';
import { OpenAdvisory } from './open-advisory.tsx';

interface WhyDrawerProps {
  readonly host: HostDetail;
  /** Whether the finding is of a past time: then its risk cannot be accepted. */
  readonly isPast: boolean;
  /** The drawer is closed if undefined. */
  readonly finding: VulnerablePackage | undefined;
  readonly onClose: () => void;
}

/** Side dialog: why a package is vulnerable, and each advisory about it. */
export function WhyDrawer({ host, isPast, finding, onClose }: WhyDrawerProps) {
  return (
    <Dialog
      title={<ForeignText text={finding?.name ?? ''} oneLine />}
      isOpen={finding !== undefined}
      onClose={onClose}
      side
    >
      {finding !== undefined && <Why host={host} isPast={isPast} finding={finding} />}
    </Dialog>
  );
}

interface WhyProps extends Pick<WhyDrawerProps, 'host' | 'isPast'> {
  readonly finding: VulnerablePackage;
}

function Why({ host, isPast, finding }: WhyProps) {
  const { severity, fix_state, known_exploited, waiver, advisories } = finding;
  const others = otherFixStates(fix_state, advisories);
  return (
    <div className={styles['drawerFacts']}>
      <div className={styles['inline']}>
        <SeverityBadge severity={severity} />
        <FixBadge state={fix_state} />
        {known_exploited && <ExploitedBadge />}
      </div>
      {waiver !== undefined && (
        <p>
          <WaivedBadge waiver={waiver} /> The package stays affected.
        </p>
      )}
      <p>
        {fixWords[fix_state].meaning} {others}
      </p>
      {!isPast && (
        <div>
          <WaiveButton subject={subjectOfFindings(host, [finding])} />
        </div>
      )}
      <Facts
        facts={[
          ['Installed', <ForeignText key="in" text={finding.installed_version} mono />],
          ['Fixed in', <Version key="fix" version={finding.fixed_version} none="No fix published" />],
          [
            'Offered by its repositories',
            <Version key="new" version={finding.candidate_version} none="Nothing" />,
          ],
          [
            'Source package',
            <ForeignText key="source" text={`${finding.source_name} ${finding.source_version}`} mono />,
          ],
          ['Architecture', <ForeignText key="arch" text={finding.architecture} />],
          ['First seen', <Time key="seen" at={finding.first_seen_at} />],
        ]}
      />
      <FindingEvidence evidence={finding.evidence} />
      <Advisories key={finding.name} finding={finding} {...(!isPast && { host })} />
    </div>
  );
}

function Version({ version, none }: { readonly version: string | null; readonly none: string }) {
  return version === null ? none : <ForeignText text={version} mono />;
}

const shownAtOnce = 20;

interface AdvisoriesProps {
  readonly finding: VulnerablePackage;
  /** Absent: nothing can be accepted. */
  readonly host?: HostDetail;
}

function Advisories({ finding, host }: AdvisoriesProps) {
  const { advisories } = finding;
  const [count, setCount] = useState(shownAtOnce);
  const left = advisories.length - count;
  return (
    <section>
      <h3>{advisories.length === 1 ? '1 advisory' : `${advisories.length} advisories`}</h3>
      {advisories.slice(0, count).map((advisory) => (
        <OpenAdvisory
          key={advisory.id}
          advisory={advisory}
          {...(host !== undefined && {
            subject: subjectOfFindings(host, [{ ...finding, advisories: [advisory] }]),
          })}
        />
      ))}
      {left > 0 && (
        <Button onPress={() => setCount(count + 5 * shownAtOnce)}>
          Show {Math.min(left, 5 * shownAtOnce)} more of {left}
        </Button>
      )}
    </section>
  );
}

/** Which versions were compared, and which advisories were skipped. */
function FindingEvidence({ evidence }: Pick<VulnerablePackage, 'evidence'>) {
  const { release, feed, feed_updated_at, comparator, match_name, compared_version, fixed_version, notes } =
    evidence;
  return (
    <section className={styles['stack']}>
      <h3>Why this is vulnerable</h3>
      <p>
        <ForeignText text={match_name} mono /> <ForeignText text={compared_version} mono />{' '}
        {fixed_version === null ? (
          'is affected. No version has a fix.'
        ) : (
          <>
            is older than <ForeignText text={fixed_version} mono />, the first version with all known fixes.
          </>
        )}
      </p>
      <Facts
        facts={[
          ['Release', release ?? '–'],
          ['Feed', feed ?? '–'],
          ['Feed data of', <Time key="read" at={feed_updated_at} />],
          ['Version comparison', comparator ?? '–'],
        ]}
      />
      {notes.length > 0 && (
        <ul className={styles['list']}>
          {notes.map(({ code, detail }) => (
            <li key={code + detail}>
              {noteWords(code)}: <ForeignText text={detail} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
