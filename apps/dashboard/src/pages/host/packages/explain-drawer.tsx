import type { Explanation, HostDetail } from '@plimsoll/contract';
import type { Tone } from '@plimsoll/words';
import { useApi } from '../../../api/queries.ts';
import { Badge } from '../../../design/badge.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { Facts } from '../../../design/page/facts.tsx';
import { Loaded } from '../../../design/states.tsx';
import { ExternalLink } from '../../../design/text/external-link.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import { reasonOf, sentence } from '../../../words/knowledge.ts';
import { type BornWaiver, WaivedBadge } from '../../../words/waived.tsx';
import styles from '../host.module.css';
import { useHostSearch } from '../host-search.ts';

const verdicts: Readonly<Record<Explanation['verdict'], readonly [words: string, tone: Tone]>> = {
  finding: ['A finding', 'important'],
  hidden: ['Not shown', 'neutral'],
  not_a_finding: ['Not a finding', 'neutral'],
  unknown: ['Not known', 'moderate'],
};

/** Side dialog: why an advisory is a finding on a package of the host, or why not. Both are in the address. */
export function ExplainDrawer({ host }: { readonly host: HostDetail }) {
  const [{ package: name, advisory }, change] = useHostSearch();
  return (
    <Dialog
      title={<ForeignText text={`${name ?? ''}: why, or why not?`} oneLine />}
      isOpen={name !== undefined}
      onClose={() => change({ package: '', advisory: '' })}
      side
    >
      <div className={styles['drawerFacts']}>
        <Form
          key={name}
          submit="Explain"
          onSubmit={async (values) => change({ advisory: String(values.get('advisory')).trim() })}
        >
          <TextField
            name="advisory"
            label="Advisory or CVE"
            placeholder="CVE-2026-1234"
            maxLength={200}
            defaultValue={advisory ?? ''}
            isRequired
            autoFocus={advisory === undefined}
          />
        </Form>
        {name !== undefined && advisory !== undefined && (
          <Answer host={host} name={name} advisory={advisory} />
        )}
      </div>
    </Dialog>
  );
}

interface AnswerProps {
  readonly host: HostDetail;
  readonly name: string;
  readonly advisory: string;
}

function Answer({ host, name, advisory }: AnswerProps) {
  const query = useApi('/hosts/{id}/packages/{name}/explain', {
    params: { id: host.id, name },
    query: { advisory },
  });
  return (
    <>
      {host.gaps.includes('report_outdated') && (
        <p>{sentence(reasonOf('report_outdated', host, Date.now()))} It may be otherwise by now.</p>
      )}
      <Loaded query={query} what="Loading the reason">
        {(explanation) => <Reason explanation={explanation} />}
      </Loaded>
    </>
  );
}

function Reason({ explanation }: { readonly explanation: Explanation }) {
  const { verdict, detail, release, feed, feed_updated_at, comparator, packages } = explanation;
  const [words, tone] = verdicts[verdict];
  const findings = packages.filter(({ reason }) => reason === 'finding');
  const waivers = new Map(
    findings.flatMap(({ waiver }) => (waiver === undefined ? [] : [[waiver.id, waiver]])),
  );
  const isWaived = findings.length > 0 && findings.every(({ waiver }) => waiver !== undefined);
  return (
    <div className={styles['stack']} role="status">
      <div>
        <Badge tone={isWaived ? 'neutral' : tone}>{isWaived ? `${words}, waived` : words}</Badge>
      </div>
      {[...waivers.values()].map((waiver) => (
        <WaivedHere key={waiver.id} waiver={waiver} isWhole={isWaived} />
      ))}
      <p>
        <ForeignText text={detail} />
      </p>
      <Facts
        facts={[
          ['Release', release ?? '–'],
          ['Feed', feed ?? '–'],
          ['Feed data of', feed_updated_at === null ? '–' : <Time key="read" at={feed_updated_at} />],
          ['Version comparison', comparator ?? '–'],
        ]}
      />
      {packages.map((found) => (
        <ExplainedPackage
          key={`${found.name}:${found.architecture}:${found.installed_version}`}
          found={found}
          isOnly={packages.length === 1}
        />
      ))}
    </div>
  );
}

interface WaivedHereProps {
  readonly waiver: BornWaiver;
  /** Whether every package of the explanation is waived. */
  readonly isWhole: boolean;
}

/** Who waived the finding, until when, and why. */
function WaivedHere({ waiver, isWhole }: WaivedHereProps) {
  const { data } = useApi('/waivers/{id}', { params: { id: waiver.id } });
  return (
    <div className={styles['tight']}>
      <WaivedBadge waiver={waiver} />
      {data !== undefined && (
        <p>
          Reason: <ForeignText text={data.reason} />
          {data.ticket_url !== null && (
            <>
              {' · '}
              <ExternalLink url={data.ticket_url}>Ticket</ExternalLink>
            </>
          )}
        </p>
      )}
      <p>
        {isWhole
          ? 'It asks for no action until then. The package stays affected.'
          : 'Of several packages only a part is waived: see each of them.'}
      </p>
    </div>
  );
}

interface ExplainedPackageProps {
  readonly found: Explanation['packages'][number];
  /** Whether the explanation has no other package: then it names the waiver. */
  readonly isOnly: boolean;
}

/** What was compared of one installed package, and what each record says about it. */
function ExplainedPackage({ found, isOnly }: ExplainedPackageProps) {
  const { name, architecture, installed_version, source_name, source_version } = found;
  const statements = found.statements.filter(({ detail }) => detail !== found.detail);
  return (
    <section className={styles['tight']}>
      <h3>
        <ForeignText text={`${name} ${installed_version} (${architecture})`} />
      </h3>
      <p className={styles['muted']}>
        Source package <ForeignText text={`${source_name} ${source_version}`} />
      </p>
      {!isOnly && found.waiver !== undefined && <WaivedBadge waiver={found.waiver} />}
      {statements.length > 0 && (
        <ul className={styles['list']}>
          {statements.map(({ id, detail }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a record can say several things about a package
            <li key={`${id}:${index}`}>
              <ForeignText text={detail} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
