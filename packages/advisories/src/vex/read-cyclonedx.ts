import type { JsonObject } from '@plimsoll/model';
import { fieldOf, objectOf } from '../json-fields.ts';
import { mitigations, noProduct, type VexDocument, type VexProduct, type VexStatus } from './vex-document.ts';
import {
  hostOfUrn,
  identifierIn,
  namesOf,
  objectIn,
  objectsIn,
  StatementList,
  textOf,
} from './vex-reader.ts';

/** Nested components below this depth are not looked up. */
const maxDepth = 20;
const maxComponents = 200_000;

const statuses: Readonly<Record<string, VexStatus>> = {
  not_affected: 'not_affected',
  false_positive: 'not_affected',
  resolved: 'fixed',
  resolved_with_pedigree: 'fixed',
  exploitable: 'affected',
  in_triage: 'under_investigation',
};

/** Reads the vulnerabilities of a CycloneDX document with their analyses (CycloneDX 1.4 to 1.6). */
export function readCycloneDxDocument(document: JsonObject): VexDocument {
  const subject = objectIn(objectIn(document, 'metadata'), 'component');
  const subjectRef = identifierIn(subject, 'bom-ref');
  const hostId = hostOf(subject);
  const within =
    identifierIn(subject, 'name') === '' && subjectRef === ''
      ? null
      : identifierIn(subject, 'name') || subjectRef;
  const components = new Map<string, Located>();
  collect(document, components, { depth: 0, hostId });
  const productOf = (ref: string): VexProduct => {
    const own = refIn(ref);
    if (own === subjectRef && own !== '') {
      const purl = identifierIn(subject, 'purl');
      return { shown: own, purl: purl === '' ? null : purl, within: null, hostId: null };
    }
    const found = components.get(own) ?? { component: {}, hostId };
    const purl = identifierIn(found.component, 'purl') || (own.startsWith('pkg:') ? own : '');
    return { shown: own, purl: purl === '' ? null : purl, within, hostId: found.hostId };
  };
  const list = new StatementList();
  for (const [index, vulnerability] of objectsIn(document, 'vulnerabilities')) {
    const pointer = `/vulnerabilities/${index}`;
    const analysis = objectIn(vulnerability, 'analysis');
    const justification = textOf(analysis, 'justification');
    const said = {
      names: namesOf([
        identifierIn(vulnerability, 'id'),
        ...objectsIn(vulnerability, 'references').map(([, reference]) => identifierIn(reference, 'id')),
      ]),
      status: statusOf(textOf(analysis, 'state'), justification),
      reason: [justification, textOf(analysis, 'detail')].filter((text) => text !== '').join(': '),
    };
    const affects = objectsIn(vulnerability, 'affects');
    if (affects.length === 0) list.add({ ...said, pointer, product: noProduct });
    for (const [place, affected] of affects)
      list.add({
        ...said,
        pointer: `${pointer}/affects/${place}`,
        product: productOf(identifierIn(affected, 'ref')),
      });
  }
  return { format: 'cyclonedx', id: identifierIn(document, 'serialNumber'), statements: list.statements };
}

function statusOf(state: string, justification: string): VexStatus {
  const known = Object.hasOwn(statuses, state) ? (statuses[state] ?? 'other') : 'other';
  return known === 'not_affected' && mitigations.has(justification) ? 'mitigated' : known;
}

/** The host that a component is, if Plimsoll wrote it. */
function hostOf(subject: JsonObject): string | null {
  const property = objectsIn(subject, 'properties').find(
    ([, each]) => identifierIn(each, 'name') === 'plimsoll:host_id',
  );
  return property === undefined ? null : hostOfUrn(`urn:uuid:${textOf(property[1], 'value')}`);
}

/** The bom-ref in a reference: itself, or the fragment of a BOM-Link (`urn:cdx:serial/version#ref`). */
function refIn(ref: string): string {
  const mark = ref.startsWith('urn:cdx:') ? ref.indexOf('#') : -1;
  if (mark === -1) return ref;
  try {
    return decodeURIComponent(ref.slice(mark + 1));
  } catch {
    return ref.slice(mark + 1);
  }
}

/** A component, and the host within which it is; null: none. */
interface Located {
  readonly component: JsonObject;
  readonly hostId: string | null;
}

function collect(
  parent: JsonObject,
  found: Map<string, Located>,
  { depth, hostId }: { readonly depth: number; readonly hostId: string | null },
): void {
  if (depth > maxDepth) return;
  for (const [, component] of objectsIn(parent, 'components')) {
    if (found.size >= maxComponents) return;
    const ref = identifierIn(component, 'bom-ref');
    if (ref !== '') found.set(ref, { component, hostId });
    if (
      objectOf(fieldOf(component, 'components')) !== null ||
      Array.isArray(fieldOf(component, 'components'))
    )
      collect(component, found, { depth: depth + 1, hostId: hostOf(component) ?? hostId });
  }
}
