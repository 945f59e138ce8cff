import type { JsonObject } from '@plimsoll/model';
import { type CsafProducts, collectProducts } from '../csaf/product-tree.ts';
import { mitigations, noProduct, type VexDocument, type VexProduct, type VexStatus } from './vex-document.ts';
import {
  hostOfUrn,
  identifierIn,
  identifiersIn,
  namesOf,
  objectIn,
  objectsIn,
  StatementList,
  textOf,
} from './vex-reader.ts';

/** The statuses of products (CSAF 2.0, 3.2.3.9). */
const statuses: readonly (readonly [key: string, status: VexStatus])[] = [
  ['known_not_affected', 'not_affected'],
  ['fixed', 'fixed'],
  ['first_fixed', 'fixed'],
  ['known_affected', 'affected'],
  ['first_affected', 'affected'],
  ['last_affected', 'affected'],
  ['under_investigation', 'under_investigation'],
  ['recommended', 'other'],
];

/** Reads the statuses of a CSAF document (CSAF 2.0, profile VEX). */
export function readCsafDocument(document: JsonObject): VexDocument {
  const products = collectProducts(document);
  const list = new StatementList();
  for (const [index, vulnerability] of objectsIn(document, 'vulnerabilities')) {
    const pointer = `/vulnerabilities/${index}`;
    const names = namesOf([
      identifierIn(vulnerability, 'cve'),
      ...objectsIn(vulnerability, 'ids').map(([, id]) => identifierIn(id, 'text')),
    ]);
    const flags = wordsByProduct(vulnerability, 'flags', 'label');
    const impacts = wordsByProduct(vulnerability, 'threats', 'details');
    const stated = objectIn(vulnerability, 'product_status');
    const before = list.statements.length;
    for (const [key, status] of statuses) {
      for (const [place, id] of identifiersIn(stated, key).entries()) {
        const flag = flags.get(id) ?? '';
        list.add({
          pointer: `${pointer}/product_status/${key}/${place}`,
          names,
          product: productOf(id, products),
          status: status === 'not_affected' && mitigations.has(flag) ? 'mitigated' : status,
          reason: [flag, impacts.get(id) ?? ''].filter((text) => text !== '').join(': '),
        });
      }
    }
    if (list.statements.length === before)
      list.add({ pointer, names, product: noProduct, status: 'other', reason: '' });
  }
  const tracking = objectIn(objectIn(document, 'document'), 'tracking');
  return { format: 'csaf', id: identifierIn(tracking, 'id'), statements: list.statements };
}

/** A product with the purl of its innermost component, and the product that this is installed on or a part of. */
function productOf(id: string, { helpers, components }: CsafProducts): VexProduct {
  const combined = components.get(id);
  if (combined === undefined)
    return { shown: id, purl: helpers.get(id)?.purl || null, within: null, hostId: null };
  const { component, platform } = combined;
  return {
    shown: id,
    purl: helpers.get(component)?.purl || null,
    within: platform,
    hostId: hostOfUrn(platform),
  };
}

/** The first word of each product in a list of flags or threats. */
function wordsByProduct(
  vulnerability: JsonObject,
  list: 'flags' | 'threats',
  field: 'label' | 'details',
): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const [, entry] of objectsIn(vulnerability, list)) {
    if (list === 'threats' && textOf(entry, 'category') !== 'impact') continue;
    for (const id of identifiersIn(entry, 'product_ids'))
      if (!words.has(id)) words.set(id, textOf(entry, field));
  }
  return words;
}
