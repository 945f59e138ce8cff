import { isJsonObject } from '@plimsoll/model';
import { parseJsonSection } from '../json-section.ts';
import type { ReportSection } from '../report-section.ts';
import type { SectionNotes } from '../section-rule.ts';

/** A host's subscription state and its enabled services. */
export interface SubscriptionFacts {
  readonly kind: string;
  readonly attached: boolean;
  readonly services: readonly string[];
}

/** The status of Ubuntu's Pro client. */
export interface ProFacts extends SubscriptionFacts {
  /** When the contract ends, in milliseconds since 1970; null: it does not say. */
  readonly expiresAt: number | null;
}

/** Parses `pro`: the status of Ubuntu's Pro client. A service counts if it is enabled on this host. */
export function parsePro(section: ReportSection, notes: SectionNotes): ProFacts | null {
  const status = parseJsonSection(section, notes);
  if (status === null) return null;
  const attached = status['attached'];
  if (typeof attached !== 'boolean') {
    notes.fail('its JSON does not say whether the host is attached');
    return null;
  }
  const expiresAt = Date.parse(String(status['expires']));
  const services: readonly unknown[] = Array.isArray(status['services']) ? status['services'] : [];
  return {
    kind: 'ubuntu-pro',
    attached,
    expiresAt: Number.isNaN(expiresAt) ? null : expiresAt,
    services: services.flatMap((service) => {
      if (!isJsonObject(service) || service['status'] !== 'enabled') return [];
      const { name } = service;
      return typeof name === 'string' ? [name] : [];
    }),
  };
}
