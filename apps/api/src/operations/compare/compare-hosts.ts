import { selectFindings } from '@plimsoll/advisories';
import type { HostComparison } from '@plimsoll/contract';
import { findingGaps, gapsOfBits } from '@plimsoll/model';
import { validationFailed } from '../../http/request-fields.ts';
import { findHost, headerOf, type LoadedAssessment, loadAssessment } from '../hosts/find-host.ts';
import type { ReadHandler } from '../read-operation.ts';
import { compareFacts } from './compare-facts.ts';
import { compareFindings } from './compare-findings.ts';
import { comparePackages } from './compare-packages.ts';
import { compareRepositories } from './compare-repositories.ts';
import type { ComparedHost } from './compared-host.ts';

/** GET /hosts/compare */
export const compareHosts: ReadHandler<'compareHosts'> = async ({ query, caller }, { stores }) => {
  if (query.a === query.b)
    throw validationFailed([{ pointer: '/b', detail: 'must be another host than "a"' }]);
  const load = async (id: string): Promise<ComparedHost> => {
    const overview = await findHost(stores.hosts, caller.scope, id);
    return { overview, assessed: await loadAssessment(stores.assessments, id) };
  };
  const [a, b] = [await load(query.a), await load(query.b)];
  const both = a.assessed !== null && b.assessed !== null ? ([a.assessed, b.assessed] as const) : null;
  const gaps = [a, b].flatMap(({ overview }) => [...gapsOfBits(overview.gaps)]);
  return {
    kind: 'json',
    status: 200,
    headers: headerOf(gaps),
    body: {
      a: hostAnswer(a),
      b: hostAnswer(b),
      limits: [...limitsOf(a, b)],
      facts: compareFacts(a, b),
      packages: both === null ? null : comparePackages(both[0].host, both[1].host),
      findings: both === null ? null : compareFindings(openOf(both[0]), openOf(both[1])),
      repositories: both === null ? null : compareRepositories(both[0].host, both[1].host),
    },
  };
};

function openOf({ assessment }: LoadedAssessment) {
  return selectFindings(assessment.findings, {
    includeUnfixed: true,
    includeHidden: false,
    includeWaived: false,
  });
}

function hostAnswer({ overview, assessed }: ComparedHost): HostComparison['a'] {
  return {
    id: overview.id,
    display_name: overview.displayName,
    release: assessed?.host.release ?? null,
    overall_action: overview.overallAction,
    gaps: [...gapsOfBits(overview.gaps)],
    received_at: overview.reportedAt?.toISOString() ?? null,
  };
}

const dayMs = 24 * 60 * 60_000;

function limitsOf(a: ComparedHost, b: ComparedHost): readonly HostComparison['limits'][number][] {
  const [one, other] = [a.assessed?.host.facts.platform, b.assessed?.host.facts.platform];
  const [reportedA, reportedB] = [a.overview.reportedAt, b.overview.reportedAt];
  const differ = (field: 'osFamily' | 'osId' | 'osVersionId' | 'architecture') =>
    one !== undefined && other !== undefined && one[field] !== other[field];
  const isUnsure = ({ overview }: ComparedHost) =>
    gapsOfBits(overview.gaps).some((gap) => (findingGaps as readonly string[]).includes(gap));
  const conditions: readonly (readonly [HostComparison['limits'][number], boolean])[] = [
    ['no_report_a', a.assessed === null],
    ['no_report_b', b.assessed === null],
    ['other_family', differ('osFamily')],
    ['other_distribution', differ('osId')],
    ['other_release', differ('osVersionId')],
    ['other_architecture', differ('architecture')],
    [
      'reports_apart',
      reportedA !== null && reportedB !== null && Math.abs(reportedA.getTime() - reportedB.getTime()) > dayMs,
    ],
    ['findings_unknown_a', isUnsure(a)],
    ['findings_unknown_b', isUnsure(b)],
  ];
  return conditions.flatMap(([limit, holds]) => (holds ? [limit] : []));
}
