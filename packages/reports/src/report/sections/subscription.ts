import type { ReportSection } from '../report-section.ts';
import type { SectionNotes } from '../section-rule.ts';
import type { SubscriptionFacts } from './pro.ts';

const registered = /^system identity:/i;
const notRegistered = /not (?:yet )?registered/i;

/**
 * Parses `subscription`: subscription-manager identity. Output that states neither registered nor unregistered is a
 * failure.
 */
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
