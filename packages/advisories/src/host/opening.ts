import type { ActionGround, FixState, Statement, StatementFix } from '@plimsoll/model';

/** The properties of open statements about a package version on which an action depends. */
export interface Opening {
  /** Critical or known to be exploited. */
  readonly urgent: boolean;
  readonly knownExploited: boolean;
  /** Rated critical by the vendor, itself or by its CVEs; not by CVSS. */
  readonly vendorCritical: boolean;
  readonly fix: StatementFix;
}

/** The distinct openings of some statements: even a package with many statements has few. */
export function openingsOf(statements: readonly Statement[]): readonly Opening[] {
  const openings = new Map<string, Opening>();
  for (const statement of statements) {
    const opening = openingOf(statement);
    const { urgent, knownExploited, vendorCritical, fix } = opening;
    const supplied =
      fix.kind === 'fixed' ? `${Buffer.from(fix.key).toString('latin1')} ${fix.service ?? ''}` : fix.reason;
    openings.set(`${urgent} ${knownExploited} ${vendorCritical} ${fix.kind} ${supplied}`, opening);
  }
  return [...openings.values()];
}

/** The opening of one statement. */
export function openingOf({ severity, severitySource, knownExploited, fix }: Statement): Opening {
  const isCritical = severity === 'critical';
  return {
    urgent: isCritical || knownExploited,
    knownExploited,
    vendorCritical: isCritical && (severitySource === 'vendor' || severitySource === 'cves'),
    fix,
  };
}

/** The grounds for action of an opening with a fix state (HTTP contract, `overall_action`). */
export function groundsOf(opening: Opening, state: FixState): readonly ActionGround[] {
  const always: readonly ActionGround[] = opening.urgent ? ['open_finding', 'urgent_open'] : ['open_finding'];
  const when = (urgent: ActionGround, ...others: ActionGround[]): readonly ActionGround[] => [
    ...always,
    ...others,
    ...(opening.urgent ? [urgent] : []),
  ];
  switch (state) {
    case 'installable':
    case 'fix_published':
      return when('urgent_installable', 'security_update');
    case 'held':
    case 'not_in_repositories':
      return when('urgent_blocked', 'blocked_fix');
    case 'pending_reboot':
      return when('urgent_pending_reboot', 'pending_reboot');
    case 'needs_subscription':
      return [
        ...always,
        'needs_subscription',
        ...(opening.knownExploited ? (['urgent_without_fix'] as const) : []),
      ];
    case 'no_fix':
      return opening.knownExploited || opening.vendorCritical ? [...always, 'urgent_without_fix'] : always;
    case 'phased':
    case 'livepatched':
    case 'will_not_fix':
    case 'under_investigation':
      return always;
  }
}
