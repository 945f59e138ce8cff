import { type FixState, fixStates } from '@plimsoll/model';
import { InputError } from '../input-error.ts';
import { linesOf } from '../inventory/report-draft.ts';
import type { ManifestExpectation } from '../manifest.ts';
import { readInput } from '../read-input.ts';
import { evrText } from './evr-text.ts';
import type { ListedPair } from './listed-pair.ts';
import { severityOfWord } from './severity-word.ts';

/** An expected answer, and the meaning of its lines. */
export interface ExpectedList {
  readonly pairs: readonly ListedPair[];
  /** `cves`: a line for each CVE. `advisories`: a line for each advisory. */
  readonly lists: 'cves' | 'advisories';
  readonly build: 'none' | 'fixed_version' | 'fixed_build';
}

type FileExpectation = Extract<ManifestExpectation, { readonly file: string }>;

/** Reads the file of an expectation. Throws InputError with the invalid line. */
export function readExpected(expectation: FileExpectation, file: string): ExpectedList {
  const lines = linesOf(readInput(file)).map((text, index) => ({
    text,
    place: `${file}, line ${index + 1}`,
  }));
  const content = lines.filter(({ text }) => text.trim() !== '');
  switch (expectation.kind) {
    case 'debsecan':
      return { lists: 'cves', build: 'none', pairs: content.map(debsecanLine) };
    case 'dnf-updateinfo':
      return { lists: 'advisories', build: 'fixed_build', pairs: content.map(dnfLine) };
    case 'table':
      return readTable(content, expectation.fixState ?? '', file);
    default: {
      const never: never = expectation;
      throw new Error(`${file}: no way to read ${JSON.stringify(never)}`);
    }
  }
}

interface Line {
  readonly text: string;
  readonly place: string;
}

function debsecanLine({ text, place }: Line): ListedPair {
  const [id, name] = text.split(/\s+/);
  if (id === undefined || name === undefined) throw new InputError(`${place}: is not "CVE PACKAGE"`);
  return { id, package: name, build: '', severity: null, fixState: null };
}

/** `ALSA-2025:0288  Moderate/Sec.  NetworkManager-1:1.40.16-18.el8_10.x86_64`; see dnf(8), updateinfo --list. */
const dnfForm = /^(\S+)\s+(\w+)\/Sec\.\s+(\S+)-([^-\s]+-[^-\s]+)$/;

function dnfLine({ text, place }: Line): ListedPair {
  const [, id, word = '', name, build = ''] = dnfForm.exec(text.trim()) ?? [];
  if (id === undefined || name === undefined) {
    throw new InputError(`${place}: is not "ADVISORY SEVERITY/Sec. PACKAGE-VERSION-RELEASE.ARCH"`);
  }
  return { id, package: name, build: evrText(build), severity: severityOfWord(word), fixState: null };
}

type Column = 'advisory' | 'cve' | 'package' | 'fixed' | 'severity' | 'fixState';

/** Column names by field. */
const columnNames: Readonly<Record<Column, readonly string[]>> = {
  advisory: ['advisory'],
  cve: ['cve'],
  package: ['binary', 'package'],
  fixed: ['fixed'],
  severity: ['severity'],
  fixState: ['fix_state'],
};

function readTable([header, ...rows]: readonly Line[], fixState: string, file: string): ExpectedList {
  const names = header?.text.split('\t') ?? [];
  const column = (field: Column): number => names.findIndex((name) => columnNames[field].includes(name));
  const id = column('advisory') >= 0 ? column('advisory') : column('cve');
  if (id < 0 || column('package') < 0) {
    throw new InputError(`${file}: has no columns "advisory" or "cve", and "binary" or "package"`);
  }
  const pairs = rows.map(({ text, place }): ListedPair => {
    const values = text.split('\t');
    const value = (index: number): string => values[index] ?? '';
    if (value(id) === '' || value(column('package')) === '')
      throw new InputError(`${place}: has empty columns`);
    const word = column('severity') < 0 ? '' : value(column('severity'));
    const state = column('fixState') < 0 ? fixState : value(column('fixState'));
    return {
      id: value(id),
      package: value(column('package')),
      build: column('fixed') < 0 ? '' : evrText(value(column('fixed'))),
      severity: severityOfWord(word),
      fixState: fixStateOf(state, place),
    };
  });
  return {
    pairs,
    lists: column('advisory') >= 0 ? 'advisories' : 'cves',
    build: column('fixed') < 0 ? 'none' : 'fixed_version',
  };
}

function fixStateOf(text: string, place: string): FixState | null {
  if (text === '') return null;
  const state = fixStates.find((known) => known === text);
  if (state === undefined) throw new InputError(`${place}: ${text} is no fix state`);
  return state;
}
