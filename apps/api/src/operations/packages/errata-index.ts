import type { ErratumOf } from '@plimsoll/db';

/** Errata, indexed by the package they ship and the CVEs they name. */
export interface ErrataIndex {
  /** Ids of the errata of a package that name any of the CVEs, sorted. */
  idsOf(name: string, cves: readonly string[]): readonly string[];
}

/** Indexes errata for repeated look-ups. */
export function indexErrata(errata: readonly ErratumOf[]): ErrataIndex {
  const ids = new Map<string, string[]>();
  for (const { name, externalId, cves } of errata) {
    for (const cve of cves) {
      const key = `${name}\0${cve}`;
      const found = ids.get(key);
      if (found === undefined) ids.set(key, [externalId]);
      else found.push(externalId);
    }
  }
  return {
    idsOf: (name, cves) => [...new Set(cves.flatMap((cve) => ids.get(`${name}\0${cve}`) ?? []))].sort(),
  };
}
