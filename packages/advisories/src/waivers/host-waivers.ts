import { compareText, type Statement, type WaiverId, type WaiverKind } from '@plimsoll/model';
import {
  matchesPattern,
  type PackagePattern,
  type PatternSubject,
  readPackagePattern,
} from './package-pattern.ts';

/** A waiver that applies to a host. */
export interface AppliedWaiver {
  readonly id: WaiverId;
  readonly kind: WaiverKind;
  /** The user whose decision it is. */
  readonly createdBy: string;
  readonly expiresAt: Date;
  /** Ids of advisories, and CVEs. */
  readonly advisories: readonly string[];
  /** Names of source or binary packages. */
  readonly packages: readonly string[];
  /** Purls: its advisories are covered only for these packages; empty: for every package. */
  readonly purls: readonly string[];
}

/** The package that a statement is about. */
export type WaivedPackage = PatternSubject;

/** The fields of a statement that decide which waiver covers it. */
type WaivedStatement = Pick<Statement, 'externalId' | 'cves' | 'openCves'> & {
  readonly fix: Pick<Statement['fix'], 'kind'>;
};

/** The waivers that apply to one host. */
export class HostWaivers {
  private readonly byAdvisory = new Map<string, AppliedWaiver[]>();
  private readonly byPackage = new Map<string, AppliedWaiver[]>();
  /** Of waivers with purls. */
  private readonly patterns = new Map<AppliedWaiver, readonly PackagePattern[]>();

  constructor(waivers: readonly AppliedWaiver[]) {
    for (const waiver of [...waivers].sort(latestFirst)) {
      for (const name of waiver.advisories) addTo(this.byAdvisory, name, waiver);
      for (const name of waiver.packages) addTo(this.byPackage, name, waiver);
      if (waiver.purls.length > 0)
        this.patterns.set(
          waiver,
          waiver.purls.flatMap((purl) => readPackagePattern(purl) ?? []),
        );
    }
  }

  /** Whether any of the waivers names one of these advisories, CVEs or packages: without, it covers none of them. */
  names({ advisories, packages }: Pick<AppliedWaiver, 'advisories' | 'packages'>): boolean {
    return (
      advisories.some((name) => this.byAdvisory.has(name)) ||
      packages.some((name) => this.byPackage.has(name))
    );
  }

  /**
   * The waiver that covers a statement about a package; null if none does. A waiver covers the statements of its
   * advisories (with purls only for packages that one of them is about) and about its packages, and with others those of which every open CVE is waived. Of several waivers the
   * one that ends last, of those of several CVEs the one that ends first: until then the statement is waived. A snoozed
   * one never covers a statement with a fix.
   */
  coverOf(statement: WaivedStatement, subject: WaivedPackage): AppliedWaiver | null {
    const { name, sourceName } = subject;
    const { externalId, cves, openCves = cves, fix } = statement;
    const latest = (known: readonly AppliedWaiver[] | undefined): AppliedWaiver | null =>
      known?.find(
        (waiver) =>
          (fix.kind === 'unfixed' || waiver.kind !== 'snoozed_until_fix') && this.isAbout(waiver, subject),
      ) ?? null;
    const whole = [
      latest(this.byAdvisory.get(externalId)),
      latest(this.byPackage.get(name)),
      latest(this.byPackage.get(sourceName)),
    ].filter((waiver) => waiver !== null);
    if (whole.length > 0) return whole.reduce((a, b) => (latestFirst(a, b) <= 0 ? a : b));
    const ofCves = openCves.map((cve) => latest(this.byAdvisory.get(cve)));
    return earliestOf(ofCves);
  }

  /** Whether a waiver is about an open CVE of a statement, or about the statement: it may need others to cover it. */
  concerns({ externalId, cves, openCves = cves }: WaivedStatement, subject: WaivedPackage): boolean {
    return [externalId, ...openCves].some((name) =>
      this.byAdvisory.get(name)?.some((waiver) => this.isAbout(waiver, subject)),
    );
  }

  private isAbout(waiver: AppliedWaiver, subject: WaivedPackage): boolean {
    const patterns = this.patterns.get(waiver);
    return patterns === undefined || patterns.some((pattern) => matchesPattern(pattern, subject));
  }
}

/** The waiver that ends first; null for none, and if one is missing. */
export function earliestOf(waivers: readonly (AppliedWaiver | null)[]): AppliedWaiver | null {
  return waivers.reduce<AppliedWaiver | null>(
    (a, b) => (a === null || b === null ? null : latestFirst(a, b) <= 0 ? b : a),
    waivers[0] ?? null,
  );
}

function latestFirst(a: AppliedWaiver, b: AppliedWaiver): number {
  return b.expiresAt.getTime() - a.expiresAt.getTime() || compareText(a.id, b.id);
}

function addTo(index: Map<string, AppliedWaiver[]>, name: string, waiver: AppliedWaiver): void {
  const known = index.get(name);
  if (known === undefined) index.set(name, [waiver]);
  else known.push(waiver);
}
