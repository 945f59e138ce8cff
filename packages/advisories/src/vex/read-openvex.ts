import type { JsonObject } from '@plimsoll/model';
import { fieldOf, listOf } from '../json-fields.ts';
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

const statuses: readonly VexStatus[] = ['not_affected', 'affected', 'fixed', 'under_investigation'];

/** Reads an OpenVEX document (OpenVEX 0.2.0; also 0.0.1, where a vulnerability is a text). */
export function readOpenVexDocument(document: JsonObject): VexDocument {
  const list = new StatementList();
  for (const [index, statement] of objectsIn(document, 'statements')) {
    const pointer = `/statements/${index}`;
    const vulnerability = objectIn(statement, 'vulnerability');
    const names = namesOf([
      identifierIn(statement, 'vulnerability'),
      identifierIn(vulnerability, 'name'),
      ...identifiersIn(vulnerability, 'aliases'),
    ]);
    const stated = textOf(statement, 'status');
    const justification = textOf(statement, 'justification');
    const said = {
      names,
      status: statusOf(stated, justification),
      reason: [justification, textOf(statement, 'impact_statement'), textOf(statement, 'status_notes')]
        .filter((text) => text !== '')
        .join(': '),
    };
    const products = productsOf(statement);
    if (products.length === 0) list.add({ ...said, pointer, product: noProduct });
    for (const { at, product } of products) list.add({ ...said, pointer: `${pointer}${at}`, product });
  }
  return { format: 'openvex', id: identifierIn(document, '@id'), statements: list.statements };
}

function statusOf(stated: string, justification: string): VexStatus {
  const known = statuses.find((status) => status === stated) ?? 'other';
  return known === 'not_affected' && mitigations.has(justification) ? 'mitigated' : known;
}

interface FoundProduct {
  readonly at: string;
  readonly product: VexProduct;
}

/** The products of a statement, also as texts (0.0.1). A product that is no package stands for its subcomponents. */
function productsOf(statement: JsonObject): readonly FoundProduct[] {
  const listed = listOf(fieldOf(statement, 'products'));
  return objectsIn(statement, 'products').flatMap(([index, product]): readonly FoundProduct[] => {
    const at = `/products/${index}`;
    const stated = listed[index];
    if (typeof stated === 'string') return [{ at, product: productNamed({ '@id': stated }) }];
    const own = productNamed(product);
    const parts = objectsIn(product, 'subcomponents');
    if (parts.length === 0 || (own.purl !== null && /^pkg:(deb|rpm)\//.test(own.purl)))
      return [{ at, product: own }];
    return parts.map(([place, part]) => ({
      at: `${at}/subcomponents/${place}`,
      product: { ...productNamed(part), within: own.shown, hostId: hostOfUrn(own.shown) },
    }));
  });
}

function productNamed(component: JsonObject): VexProduct {
  const id = identifierIn(component, '@id');
  const purl = identifierIn(objectIn(component, 'identifiers'), 'purl');
  const shown = textOf(component, '@id');
  return {
    shown: shown === '' ? purl : shown,
    purl: purl !== '' ? purl : id.startsWith('pkg:') ? id : null,
    within: null,
    hostId: null,
  };
}
