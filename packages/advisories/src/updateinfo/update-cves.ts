import type { JsonObject } from '@plimsoll/model';
import type { JsonFieldReader } from '../json-fields.ts';
import { sortedIds } from '../osv/read-ids.ts';

const cve = /\bCVE-\d{4}-\d{4,19}\b/g;
const maxReferences = 10_000;
const maxCharacters = 4_000;

/**
 * The CVEs in the ids, titles or addresses of an update's references, sorted. Fedora refers to bugs of its tracker,
 * whose titles contain the CVEs.
 */
export function readUpdateCves(update: JsonObject, fields: JsonFieldReader): readonly string[] {
  const cves: string[] = [];
  for (const { entry, pointer } of fields.objects(update, 'references', maxReferences, '')) {
    for (const key of ['id', 'title', 'href']) {
      cves.push(...(fields.text(entry, key, maxCharacters, pointer)?.match(cve) ?? []));
    }
  }
  return sortedIds(cves);
}
