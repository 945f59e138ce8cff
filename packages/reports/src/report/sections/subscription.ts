import type { ReportSection } from '../report-section.ts';
import type { SectionNotes } from '../section-rule.ts';
import type { SubscriptionFacts } from './pro.ts';

const registered = /^system identity:/i;
const notRegistered = /not (?:yet )?registered/i;

/** Reads `subscription`: subscription-manager identity. What says neither that nor its contrary is not understood. */
export function parseSubscription(section: ReportSection, notes: SectionNotes): SubscriptionFacts | null {
  const words = [...section.lines, ...section.said];
  if (words.some((line) => registered.test(line.trim())))
    return { kind: 'rhsm', attached: true, services: [] };
  if (words.some((line) => notRegistered.test(line))) return { kind: 'rhsm', attached: false, services: [] };
  notes.fail(
    `it does not say whether the host is registered: ${words.find((line) => line.trim() !== '') ?? ''}`,
  );
  return null;
}
