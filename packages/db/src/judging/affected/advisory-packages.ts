import type {
  AdvisoryKey,
  Builds,
  Fix,
  Rating,
  Release,
  Severity,
  SeveritySource,
  SourceNaming,
  UnfixedReason,
} from '@plimsoll/model';
import type pg from 'pg';

/** What one record states about one package of one release. */
export interface StatedPackage extends Rating {
  readonly advisory: AdvisoryKey;
  readonly release: Release;
  /** The name in the advisory: on apt the source package, on rpm the binary package unless `names` is set. */
  readonly name: string;
  /** Null: `name` is what packages of the release are matched by. */
  readonly names: SourceNaming | null;
  readonly fix: Fix;
  readonly builds: Builds;
  /** When the statement was first imported. */
  readonly firstSeenAt: Date;
}

interface PackageRow {
  readonly advisory: AdvisoryKey;
  readonly release: Release;
  readonly name: string;
  readonly names: SourceNaming | null;
  readonly severity: Severity;
  readonly severity_source: SeveritySource;
  readonly fixed_version: string | null;
  readonly fixed_service: string | null;
  readonly unfixed_reason: UnfixedReason | null;
  readonly unfixed_detail: string;
  readonly architectures: readonly string[];
  readonly module: string | null;
  readonly line: string | null;
  readonly first_seen_at: Date;
}

/** The statements of records about packages, by release, name and builds. */
export async function statedPackages(
  client: pg.Pool | pg.PoolClient,
  advisories: readonly AdvisoryKey[],
): Promise<readonly StatedPackage[]> {
  const { rows } = await client.query<PackageRow>(
    `SELECT ap.advisory_id AS advisory, r.name AS release, ap.name, ap.names, ap.severity, ap.severity_source,
            ap.fixed_version, ap.fixed_service, ap.unfixed_reason, ap.unfixed_detail, ap.architectures, ap.module, ap.line, ap.first_seen_at
     FROM advisory_packages ap JOIN releases r ON r.id = ap.release_id WHERE ap.advisory_id = ANY($1::int[])
     ORDER BY r.name, ap.name, ap.builds, ap.advisory_id`,
    [advisories],
  );
  return rows.map((row) => ({
    advisory: row.advisory,
    release: row.release,
    name: row.name,
    names: row.names,
    severity: row.severity,
    severitySource: row.severity_source,
    fix:
      row.fixed_version === null
        ? { kind: 'unfixed', reason: row.unfixed_reason ?? 'no_fix', detail: row.unfixed_detail }
        : { kind: 'fixed', version: row.fixed_version, service: row.fixed_service },
    builds: { architectures: row.architectures, module: row.module, line: row.line },
    firstSeenAt: row.first_seen_at,
  }));
}
