import type { AffectedPackage, JsonObject, Severity } from '@plimsoll/model';
import { fieldOf, objectOf } from '../../json-fields.ts';
import type { OsvDialect } from '../../osv/dialect.ts';
import { splitEvr } from '../../rpm/evr.ts';
import { isModularRelease, streamsInTitle } from '../../rpm/module-stream.ts';
import { lineOf } from '../../rpm/own-line.ts';
import { isRpmPackageName } from '../../rpm/package-name.ts';
import { severityOfWord } from '../../rpm/severity-word.ts';
import { rockyFamily } from '../rocky/rocky.ts';
import { placeOfProduct } from './product.ts';
import { upstreamStatements } from './rebuilds.ts';

const ecosystem = 'Red Hat:';
const errataId = /^RH[SBE]A-\d{4}:\d{3,6}$/;
/** Red Hat's OSV states its rating as the URL of the page that explains it. */
const classification = /^https:\/\/access\.redhat\.com\/security\/updates\/classification\/?#([a-z]{1,20})$/;
const maxReferences = 10_000;

/**
 * Red Hat's OSV: packages are binary packages, ecosystems are products. Its records of bug fixes and enhancements also
 * name vulnerabilities.
 */
export const redHatOsv: OsvDialect = {
  scheme: 'rpm',
  placeOf: (name) => (name.startsWith(ecosystem) ? placeOfProduct(name.slice(ecosystem.length)) : null),
  isPackageName: isRpmPackageName,
  identify: (id) =>
    errataId.test(id) ? { kind: 'erratum', url: `https://access.redhat.com/errata/${id}` } : null,
  buildsOf(version, { line }, { summary }) {
    const modular = version !== null && isModularRelease(splitEvr(version).release);
    const apart = version === null ? '' : lineOf('', version, { minor: false, kernels: 'one' });
    const streams = modular ? streamsInTitle(summary) : [''];
    return streams.map((module) => ({ architectures: [], module, line: apart === '' ? line : apart }));
  },
  repeats: 'all',
  settle: (packages) => [...packages, ...packages.flatMap(forRocky)],
  rate: (_specific, { record }) => ({
    severity: ratingOf(record),
    unfixed: { kind: 'unfixed', reason: 'no_fix', detail: '' },
  }),
};

/** Packages of debugging symbols, which are not source packages. */
const symbols = /-debug(?:info|source)$/;

/**
 * The statement of a fix for Rocky, whose errata are a part of Red Hat's. Records list source rpms among the
 * binary packages, without a mark and with the same version. Every name counts as a source's, because no
 * source is named like a binary package of another source.
 */
function forRocky(own: AffectedPackage): readonly AffectedPackage[] {
  return own.fix.kind === 'unfixed' || symbols.test(own.name) ? [] : upstreamStatements(own, [rockyFamily]);
}

function ratingOf(record: JsonObject): Severity | null {
  const references = fieldOf(record, 'references');
  if (!Array.isArray(references)) return null;
  for (const value of references.slice(0, maxReferences)) {
    const reference = objectOf(value);
    const url = reference === null ? null : fieldOf(reference, 'url');
    const word = typeof url === 'string' ? classification.exec(url)?.[1] : undefined;
    if (word !== undefined) return severityOfWord(word);
  }
  return null;
}
