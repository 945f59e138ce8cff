import {
  type Explanation,
  explainHost,
  type NamedAdvisory,
  packagesAsked,
  type SpeakingFeed,
} from '@plimsoll/advisories';
import type { Gap } from '@plimsoll/model';
import type { AssessmentStore } from '../assessments/assessment-store.ts';
import { assessStoredHost } from '../assessments/stored-host.ts';
import type { ExplainStore } from './explain-store.ts';

/** An explanation with the advisories it is about. */
export interface LoadedExplanation {
  readonly explanation: Explanation;
  readonly advisories: readonly NamedAdvisory[];
  /** The feed whose advisories apply to the host's release; null if there is none. */
  readonly feed: SpeakingFeed | null;
}

/** Explains a package of an existing host against an advisory, given by its id, an alias or a CVE. */
export async function loadExplanation(
  stores: { readonly assessments: AssessmentStore; readonly explanations: ExplainStore },
  question: {
    readonly hostId: string;
    /** The host's gaps, as in `host_overview`. */
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
  const assessed = host === null ? null : { ...host, assessment: assessStoredHost(host) };
  return {
    explanation: explainHost({ advisory, packageName, host: assessed, gaps, advisories, stated }),
    advisories,
    feed: host?.feed ?? null,
  };
}
