import type { Finding, FindingAdvisory } from '@plimsoll/advisories';
import type { SbomVulnerability } from '@plimsoll/contract';
import type { AdvisoryDetails, CveFacts } from '@plimsoll/db';
import type { AdvisoryKey, FixState, Severity, WaiverKind } from '@plimsoll/model';
import { fixStateReasons } from '../plans/plan-words.ts';

/** What is known besides the findings of a host. */
export interface SbomBackground {
  readonly feed: string;
  readonly details: ReadonlyMap<AdvisoryKey, AdvisoryDetails>;
  readonly cveFacts: ReadonlyMap<string, CveFacts>;
  /** The bom-ref of the component that a finding is about. */
  refOf(finding: Finding): string | null;
}

type Analysis = SbomVulnerability['analysis'];

/** How a fix state is said in VEX. An affected package is exploitable until the vendor says otherwise. */
const analyses: Readonly<Record<FixState, Omit<Analysis, 'detail'>>> = {
  installable: { state: 'exploitable', response: ['update'] },
  held: { state: 'exploitable', response: ['update'] },
  phased: { state: 'exploitable', response: ['update'] },
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
  const detail = fixStateReasons[fixState];
  if (waiver === null) return { ...analyses[fixState], detail };
  const until = waiver.expiresAt.toISOString();
  const words = `Waived until ${until}: ${waiver.kind.replaceAll('_', ' ')}. ${detail}`;
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

/**
 * The open vulnerabilities of a host: one for each advisory, CVE and fix state, with all affected components. An
 * advisory without a CVE is listed by its own id. In the order of the findings.
 */
export function sbomVulnerabilities(
  findings: readonly Finding[],
  background: SbomBackground,
): SbomVulnerability[] {
  const found = new Map<string, SbomVulnerability>();
  for (const finding of findings) {
    const ref = background.refOf(finding);
    if (ref === null) continue;
    for (const advisory of finding.advisories) {
      const { statement, fixState } = advisory;
      const ids = statement.cves.length === 0 ? [statement.externalId] : statement.cves;
      for (const id of ids) {
        const fixed = statement.fix.kind === 'fixed' ? statement.fix.version : '';
        const waiver = advisory.waiver?.id ?? '';
        const key = [id, statement.externalId, fixState, fixed, statement.severity, waiver].join(' ').trim();
        const known = found.get(key) ?? vulnerabilityOf(id, finding, advisory, background);
        found.set(key, { ...known, 'bom-ref': `vulnerability ${key}` });
        if (!known.affects.some((each) => each.ref === ref)) {
          const version = finding.installedVersion;
          known.affects.push({ ref, versions: [{ version: version.slice(0, 1_024), status: 'affected' }] });
        }
      }
    }
  }
  return [...found.values()];
}

function vulnerabilityOf(
  id: string,
  { sourceName }: Finding,
  advisory: FindingAdvisory,
  { feed, details, cveFacts }: SbomBackground,
): SbomVulnerability {
  const { statement, fixState, waiver } = advisory;
  const known = details.get(statement.advisory);
  const facts = cveFacts.get(id);
  const fixed = statement.fix.kind === 'fixed' ? statement.fix.version : null;
  const url = webAddress(known?.url ?? '');
  const source = { name: feed, ...(url === null ? {} : { url }) };
  const cvss = statement.cves.length <= 1 ? (known?.cvss ?? null) : null;
  const published = known?.publishedAt?.toISOString();
  const title = known?.title ?? '';
  return {
    'bom-ref': '',
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
    ...(published === undefined ? {} : { published }),
    analysis: analysisOf(advisory),
    affects: [],
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
