import type { AssessmentStore, ExplainStore, HostToAssess, NamedAdvisory } from '@plimsoll/db';
import type { Gap } from '@plimsoll/model';
import { explainStoredHost, packagesAsked } from './explain-stored-host.ts';
import type { Explanation } from './explanation.ts';

/** An explanation with the advisories it is about. */
export interface LoadedExplanation {
  readonly explanation: Explanation;
  readonly advisories: readonly NamedAdvisory[];
  /** The feed that speaks for the host's release; null where none does. */
  readonly feed: HostToAssess['feed'];
}

/** Explains a package of a host, that exists, against an advisory: its id, an alias or a CVE. */
export async function loadExplanation(
  stores: { readonly assessments: AssessmentStore; readonly explanations: ExplainStore },
  question: {
    readonly hostId: string;
    /** The host's, as `host_overview` has them. */
    readonly gaps: readonly Gap[];
    readonly packageName: string;
    readonly advisory: string;
  },
): Promise<LoadedExplanation> {
  const { hostId, gaps, packageName, advisory } = question;
  const [host, advisories] = await Promise.all([
    stores.assessments.load(hostId),
    stores.explanations.advisoriesNamed(advisory),
  ]);
  const versions = host === null ? [] : packagesAsked(host, packageName).map(({ judged }) => judged.version);
  const stated = await stores.explanations.statedOf(versions);
  return {
    explanation: explainStoredHost({ advisory, packageName, host, gaps, advisories, stated }),
    advisories,
    feed: host?.feed ?? null,
  };
}
