import type { Finding, FindingAdvisory } from '@plimsoll/advisories';
import type { SbomVulnerability } from '@plimsoll/contract';
import type { AdvisoryDetails, CveFacts } from '@plimsoll/db';
import type { AdvisoryKey, FixState, Severity, WaiverKind } from '@plimsoll/model';
import { fixWords, waiverKindWords } from '@plimsoll/words';

/** What is known besides the findings of a host. */
export interface SbomBackground {
  readonly feed: string;
  readonly details: ReadonlyMap<AdvisoryKey, AdvisoryDetails>;
  /** Only of properties. */
  readonly cveFacts: ReadonlyMap<string, CveFacts>;
}

type Analysis = SbomVulnerability['analysis'];

/** How a fix state is said in VEX. An affected package is exploitable until the vendor says otherwise. */
const analyses: Readonly<Record<FixState, Omit<Analysis, 'detail'>>> = {
  installable: { state: 'exploitable', response: ['update'] },
  held: { state: 'exploitable', response: ['update'] },
  phased: { state: 'exploitable', response: ['update'] },
  unfinished: { state: 'exploitable', response: ['update'] },
  pending_reboot: { state: 'exploitable', response: ['update'] },
  needs_subscription: { state: 'exploitable', response: ['update'] },
  not_in_repositories: { state: 'exploitable', response: ['update'] },
  fix_published: { state: 'exploitable', response: ['update'] },
  livepatched: { state: 'not_affected', justification: 'protected_at_runtime' },
  will_not_fix: { state: 'exploitable', response: ['will_not_fix'] },
  under_investigation: { state: 'in_triage' },
  no_fix: { state: 'exploitable' },
};

/** How a waiver is said in VEX: an accepted risk stays exploitable. */
const waiverAnalyses: Readonly<Record<WaiverKind, Omit<Analysis, 'detail'>>> = {
  risk_accepted: { state: 'exploitable', response: ['will_not_fix'] },
  false_positive: { state: 'false_positive' },
  mitigated: { state: 'not_affected', justification: 'protected_by_mitigating_control' },
  snoozed_until_fix: { state: 'exploitable' },
};

function analysisOf({ waiver, fixState }: FindingAdvisory): Analysis {
  const detail = fixWords[fixState].meaning;
  if (waiver === null) return { ...analyses[fixState], detail };
  const until = waiver.expiresAt.toISOString();
  const words = `Waived until ${until}: ${waiverKindWords[waiver.kind].words}. ${detail}`;
  return { ...waiverAnalyses[waiver.kind], detail: words };
}

const severities: Readonly<Record<Severity, SbomVulnerability['ratings'][number]['severity']>> = {
  critical: 'critical',
  important: 'high',
  moderate: 'medium',
  low: 'low',
  unrated: 'unknown',
  none: 'none',
};

/** What is said of the packages that a vulnerability affects. */
export type SaidVulnerability = Omit<SbomVulnerability, 'bom-ref' | 'affects'>;

/**
 * The open vulnerabilities of a host: one for each advisory, CVE and fix state, with all affected components of which the same
 * is said. An advisory without a CVE is listed by its own id. In the order of the findings.
 */
export function sbomVulnerabilities(
  findings: readonly Finding[],
  background: SbomBackground & {
    /** The bom-ref of the component that a finding is about. */
    refOf(finding: Finding): string | null;
  },
): SbomVulnerability[] {
  const found = new Map<string, SbomVulnerability>();
  const named = new Map<string, number>();
  for (const finding of findings) {
    const ref = background.refOf(finding);
    if (ref === null) continue;
    for (const advisory of finding.advisories) {
      for (const id of idsOf(advisory)) {
        const name = nameOf(id, advisory);
        const key = JSON.stringify([name, saidBesides(finding, advisory)]);
        let known = found.get(key);
        if (known === undefined) {
          const times = (named.get(name) ?? 0) + 1;
          named.set(name, times);
          const bomRef = `vulnerability ${name}${times === 1 ? '' : `#${times}`}`;
          known = { 'bom-ref': bomRef, ...vulnerabilityOf(id, finding, advisory, background), affects: [] };
          found.set(key, known);
        }
        if (!known.affects.some((each) => each.ref === ref))
          known.affects.push({ ref, versions: versionsOf(finding) });
      }
    }
  }
  return [...found.values()];
}

/** What is said of the package of a finding, in the order of its advisories. */
export function vulnerabilitiesOf(
  finding: Finding,
  background: SbomBackground,
): readonly SaidVulnerability[] {
  return finding.advisories.flatMap((advisory) =>
    idsOf(advisory).map((id) => vulnerabilityOf(id, finding, advisory, background)),
  );
}

/** The version in which the package of a finding is affected. */
export function versionsOf({ installedVersion }: Finding): SbomVulnerability['affects'][number]['versions'] {
  return [{ version: installedVersion.slice(0, 1_024), status: 'affected' }];
}

/** An advisory without a CVE is a vulnerability of its own. */
function idsOf({ statement: { cves, externalId } }: FindingAdvisory): readonly string[] {
  return cves.length === 0 ? [externalId] : cves;
}

function nameOf(id: string, { statement, fixState, waiver }: FindingAdvisory): string {
  const fixed = statement.fix.kind === 'fixed' ? statement.fix.version : '';
  return [id, statement.externalId, fixState, fixed, statement.severity, waiver?.id ?? ''].join(' ').trim();
}

/** What vulnerabilityOf depends on besides the name. */
function saidBesides({ sourceName }: Finding, { statement }: FindingAdvisory): readonly unknown[] {
  const { advisory, cves, fix, knownExploited, severitySource } = statement;
  return [advisory, fix.kind === 'fixed' && sourceName, severitySource, knownExploited, cves.length <= 1];
}

function vulnerabilityOf(
  id: string,
  { sourceName }: Finding,
  advisory: FindingAdvisory,
  { feed, details, cveFacts }: SbomBackground,
): SaidVulnerability {
  const { statement, fixState, waiver } = advisory;
  const known = details.get(statement.advisory);
  const facts = cveFacts.get(id);
  const fixed = statement.fix.kind === 'fixed' ? statement.fix.version : null;
  const url = webAddress(known?.url ?? '');
  const source = { name: feed, ...(url === null ? {} : { url }) };
  const cvss = statement.cves.length <= 1 ? (known?.cvss ?? null) : null;
  const published = known?.publishedAt?.toISOString();
  const title = known?.title ?? '';
  const workaround = (known?.workarounds ?? []).map(({ text }) => text).join('\n\n');
  return {
    id,
    source,
    ...(id === statement.externalId ? {} : { references: [{ id: statement.externalId, source }] }),
    ratings: [
      {
        source: { name: statement.severitySource },
        severity: severities[statement.severity],
        method: 'other',
      },
      ...(cvss === null ? [] : [cvssRating(cvss)]),
    ],
    ...(title === '' ? {} : { description: title }),
    ...(fixed === null ? {} : { recommendation: `Upgrade ${sourceName} to ${fixed} or later.` }),
    ...(workaround === '' ? {} : { workaround }),
    ...(published === undefined ? {} : { published }),
    analysis: analysisOf(advisory),
    properties: [
      { name: 'plimsoll:advisory', value: statement.externalId },
      { name: 'plimsoll:fix_state', value: fixState },
      { name: 'plimsoll:severity', value: statement.severity },
      { name: 'plimsoll:known_exploited', value: String(statement.knownExploited) },
      ...(fixed === null ? [] : [{ name: 'plimsoll:fixed_version', value: fixed }]),
      ...(waiver === null ? [] : [{ name: 'plimsoll:waiver', value: waiver.id }]),
      ...(facts?.epss == null ? [] : [{ name: 'plimsoll:epss', value: String(facts.epss) }]),
    ],
  };
}

function cvssRating({ score, vector }: { readonly score: number; readonly vector: string }) {
  const method = vector.startsWith('CVSS:4')
    ? ('CVSSv4' as const)
    : vector.startsWith('CVSS:3.1')
      ? ('CVSSv31' as const)
      : vector.startsWith('CVSS:3')
        ? ('CVSSv3' as const)
        : ('CVSSv2' as const);
  const severity =
    score >= 9 ? 'critical' : score >= 7 ? 'high' : score >= 4 ? 'medium' : score > 0 ? 'low' : 'none';
  return { score, severity, method, vector } as const;
}

/** An address that starts with https or http; null for any other text. */
function webAddress(text: string): string | null {
  return /^https?:\/\/[\x21-\x7e]+$/.test(text) && URL.canParse(text) ? text : null;
}
