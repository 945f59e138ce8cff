import type { Severity, Statement } from '@plimsoll/model';
import { worseSeverity } from './rating.ts';

/** The vendor's rating of a CVE; null without one. */
export type CveRating = (cve: string) => Severity | null;

/**
 * A matched statement with the severity of its open CVEs: the worst of the vendor's ratings. The statement
 * keeps its own severity if all of its CVEs are open, or if the vendor does not rate every open one. Never
 * negligible, because the vendor published the erratum.
 */
export function rateOpenCves(statement: Statement, ratingOf: CveRating): Statement {
  const { openCves, severity: own } = statement;
  if (openCves === undefined || own === 'none') return statement;
  const ratings = openCves.map(ratingOf);
  if (!ratings.every((rating) => rating !== null)) return statement;
  const worst = ratings.reduce(worseSeverity, 'none');
  const severity = worst === 'none' ? 'low' : worst;
  return severity === own ? statement : { ...statement, severity, severitySource: 'cves' };
}

/**
 * The vendor's ratings of CVEs in statements about one package, each about one CVE. The distribution's own ratings take
 * precedence over those of the distribution it is rebuilt from.
 */
export function cveRatingsIn(statements: readonly Statement[]): CveRating {
  const own = new Map<string, Severity>();
  const upstream = new Map<string, Severity>();
  for (const { cves, kind, externalId, severity, severitySource, names, withdrawn } of statements) {
    const [cve] = cves;
    if (cve === undefined || cves.length > 1 || withdrawn || severitySource !== 'vendor') continue;
    if (kind !== 'vulnerability' && externalId !== cve) continue;
    const ratings = names === 'upstream_source' ? upstream : own;
    const known = ratings.get(cve);
    ratings.set(cve, known === undefined ? severity : worseSeverity(known, severity));
  }
  return (cve) => own.get(cve) ?? upstream.get(cve) ?? null;
}
