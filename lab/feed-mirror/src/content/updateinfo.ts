import type { Volume } from '../layout.ts';
import { numbersFrom, prose } from './deterministic.ts';
import { cveOfRecord } from './osv-records.ts';

/** The specifics of a publisher's updateinfo. */
export interface UpdateStyle {
  /** The id of update `n`, counted from 0. */
  idOf(n: number): string;
  /** The short name and the name of its collection. */
  readonly collection: readonly [short: string, name: string];
  /** The dist tag of its builds: `el9`. */
  readonly distTag: string;
  readonly architecture: string;
}

/** An updateinfo.xml as createrepo_c writes it, in pieces. */
export function* updateinfo(style: UpdateStyle, { records, proseCharacters }: Volume): Generator<string> {
  const next = numbersFrom(3);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<updates>\n';
  for (let n = 0; n < records; n++) yield update(n, style, prose(proseCharacters, next));
  yield '</updates>\n';
}

function update(n: number, style: UpdateStyle, description: string): string {
  const cve = cveOfRecord(n);
  const [short, name] = style.collection;
  const release = `${2 + (n % 7)}.${style.distTag}`;
  const file = `binary${n}-1.${n}-${release}`;
  return `<update from="security@example.com" status="final" type="security" version="2.0">
  <id>${style.idOf(n)}</id><title>Important: binary${n} security update</title>
  <issued date="2026-05-20 00:00:00"/><updated date="2026-05-21 00:00:00"/>
  <severity>Important</severity><description>${description}</description>
  <references><reference href="https://www.cve.org/CVERecord?id=${cve}" id="${cve}" type="cve" title="${cve}"/></references>
  <pkglist><collection short="${short}"><name>${name}</name>
  <package name="binary${n}" version="1.${n}" release="${release}" epoch="0" arch="${style.architecture}" src="${file}.src.rpm"><filename>${file}.${style.architecture}.rpm</filename></package>
  </collection></pkglist>
</update>
`;
}
