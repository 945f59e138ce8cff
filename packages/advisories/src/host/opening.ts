import {
  type AdvisoryKey,
  bitsOfGrounds,
  type FixState,
  type Statement,
  type StatementFix,
} from '@plimsoll/model';

/** The properties of open statements about a package version on which an action depends. */
export interface Opening {
  /** Critical or known to be exploited. */
  readonly urgent: boolean;
  readonly knownExploited: boolean;
  /** Rated critical by the vendor's rating of the record or of its CVEs; not by CVSS. */
  readonly vendorCritical: boolean;
  readonly fix: StatementFix;
  /** If it is a fix of a package that is not a kernel: the advisories with this opening. Empty for others. */
  readonly advisories: readonly AdvisoryKey[];
}

/** The distinct openings of some statements by openingKey: even a package with many statements has few. */
export function openingsOf(
  statements: readonly Statement[],
  withAdvisories: boolean,
): ReadonlyMap<string, Opening> {
  const openings = new Map<string, Opening & { readonly advisories: AdvisoryKey[] }>();
  for (const statement of statements) {
    const opening = openingOf(statement);
    const key = openingKey(opening);
    const known = openings.get(key) ?? { ...opening, advisories: [] };
    openings.set(key, known);
    if (withAdvisories && opening.fix.kind === 'fixed') known.advisories.push(statement.advisory);
  }
  return openings;
}

/** A text that is equal for openings with equal effects. */
export function openingKey({
  urgent,
  knownExploited,
  vendorCritical,
  fix,
}: Omit<Opening, 'advisories'>): string {
  const supplied =
    fix.kind === 'fixed' ? `${Buffer.from(fix.key).toString('latin1')} ${fix.service ?? ''}` : fix.reason;
  return `${urgent} ${knownExploited} ${vendorCritical} ${fix.kind} ${supplied}`;
}

/** The opening of one statement. */
export function openingOf({ severity, severitySource, knownExploited, fix }: Statement): Opening {
  const isCritical = severity === 'critical';
  return {
    urgent: isCritical || knownExploited,
    knownExploited,
    vendorCritical: isCritical && (severitySource === 'vendor' || severitySource === 'cves'),
    fix,
    advisories: [],
  };
}

/** The grounds for action of an opening with a fix state, as bits (HTTP contract, `overall_action`). */
export function groundsOf({ urgent, knownExploited, vendorCritical }: Opening, state: FixState): number {
  const always = urgent ? bits.open | bits.urgentOpen : bits.open;
  switch (state) {
    case 'installable':
    case 'unfinished':
    case 'fix_published':
      return always | bits.securityUpdate | (urgent ? bits.urgentInstallable : 0);
    case 'held':
    case 'not_in_repositories':
      return always | bits.blockedFix | (urgent ? bits.urgentBlocked : 0);
    case 'pending_reboot':
      return always | bits.pendingReboot | (urgent ? bits.urgentPendingReboot : 0);
    case 'needs_subscription':
      return always | bits.needsSubscription | (knownExploited ? bits.urgentWithoutFix : 0);
    case 'no_fix':
      return always | (knownExploited || vendorCritical ? bits.urgentWithoutFix : 0);
    case 'phased':
    case 'livepatched':
    case 'will_not_fix':
    case 'under_investigation':
      return always;
  }
}

const bits = {
  open: bitsOfGrounds(['open_finding']),
  urgentOpen: bitsOfGrounds(['urgent_open']),
  securityUpdate: bitsOfGrounds(['security_update']),
  urgentInstallable: bitsOfGrounds(['urgent_installable']),
  blockedFix: bitsOfGrounds(['blocked_fix']),
  urgentBlocked: bitsOfGrounds(['urgent_blocked']),
  pendingReboot: bitsOfGrounds(['pending_reboot']),
  urgentPendingReboot: bitsOfGrounds(['urgent_pending_reboot']),
  needsSubscription: bitsOfGrounds(['needs_subscription']),
  urgentWithoutFix: bitsOfGrounds(['urgent_without_fix']),
};
