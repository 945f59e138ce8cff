import pLimit from 'p-limit';
import type { ApiStores } from '../../stores.ts';
import { loadAssessment } from '../hosts/find-host.ts';
import { forensicsFirst } from '../plan/forensics-first.ts';
import type { PlanContent } from './plan-content.ts';

/** Hosts that are loaded at the same time. */
const loadedAtOnce = 3;

/** A saved plan with the hosts of which evidence is to be taken first, by the due dates of now. */
export async function withForensics(
  { assessments, policies }: Pick<ApiStores, 'assessments' | 'policies'>,
  content: PlanContent,
): Promise<PlanContent> {
  const { policy } = await policies.duePolicy();
  if (!policy.rules.some(({ forensics }) => forensics)) return content;
  const limit = pLimit(loadedAtOnce);
  const forensicsOf = async (host: string): Promise<string[]> => {
    const assessed = await loadAssessment(assessments, host);
    return assessed === null ? [] : forensicsFirst(assessed);
  };
  const entries = content.entries.map((entry) =>
    limit(async () => ({ ...entry, forensicsFirst: await forensicsOf(entry.host.host_id) })),
  );
  return { ...content, entries: await Promise.all(entries) };
}
