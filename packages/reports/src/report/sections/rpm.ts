import type { WireTimestamp } from '../../snapshot/field-reader.ts';
import { evrOf } from '../evr.ts';
import type { ReportSection } from '../report-section.ts';
import { holdsReplaced } from '../report-text.ts';
import { parseSeconds } from '../seconds.ts';
import type { SectionNotes } from '../section-rule.ts';

/** An installed package from rpm; empty for rpm's `(none)`. */
export interface RpmPackage {
  readonly name: string;
  readonly architecture: string;
  /** `[epoch:]version-release`. */
  readonly version: string;
  readonly sourceName: string;
  /** Without an epoch: a source package's name has none. */
  readonly sourceVersion: string;
  readonly vendor: string;
  readonly module: string;
  readonly installedAt: WireTimestamp | null;
  readonly signingKey: string;
  /** Its report line. */
  readonly line: number;
}

const columnCount = 10;
/** Columns before and after the vendor, the only one that can contain a tab. */
const beforeVendor = 6;
const behindVendor = 3;
/** rpm 6 shows fingerprints, whose end is the id. */
const keyId = /key (?:id|fingerprint):? (?:[0-9a-f]{24}(?=[0-9a-f]{16}\b))?([0-9a-f]{8,40})/i;

/** Parses `rpm`. A line that is not a package is left out. */
export function parseRpm({ lines, numbers }: ReportSection, notes: SectionNotes): readonly RpmPackage[] {
  const packages: RpmPackage[] = [];
  for (const [index, text] of lines.entries()) {
    if (text === '') continue;
    const line = numbers[index] ?? 0;
    const columns = text.split('\t');
    if (columns.length < columnCount) {
      notes.leaveOut(line, `has ${columns.length} columns between tabs, a package of rpm has ${columnCount}`);
    } else if (columns.slice(0, beforeVendor).some(holdsReplaced)) {
      notes.leaveOut(line, 'contains bytes that are not UTF-8');
    } else {
      packages.push(packageOf(columns.map(tagValue), line));
    }
  }
  return packages;
}

function packageOf(columns: readonly string[], line: number): RpmPackage {
  const [name = '', epoch = '', version = '', release = '', architecture = '', sourceRpm = ''] = columns;
  const [module = '', installTime = '', signature = ''] = columns.slice(-behindVendor);
  const source = sourceOf(sourceRpm);
  return {
    name,
    architecture,
    version: evrOf(epoch, version, release),
    sourceName: source.name,
    sourceVersion: source.version,
    vendor: columns.slice(beforeVendor, -behindVendor).join(' '),
    module,
    installedAt: parseSeconds(installTime),
    signingKey: keyId.exec(signature)?.[1]?.toLowerCase() ?? signature,
    line,
  };
}

function tagValue(text: string): string {
  return text === '(none)' ? '' : text;
}

const sourceEnd = /\.(?:no)?src\.rpm$/;

/** `bind` and `9.9.4-73.el7_6` of `bind-9.9.4-73.el7_6.src.rpm`; both empty for an invalid source package name. */
function sourceOf(sourceRpm: string): { readonly name: string; readonly version: string } {
  const nevr = sourceRpm.replace(sourceEnd, '');
  const release = nevr.lastIndexOf('-');
  const version = nevr.lastIndexOf('-', release - 1);
  if (nevr === sourceRpm || version <= 0 || release <= version) return { name: '', version: '' };
  return { name: nevr.slice(0, version), version: nevr.slice(version + 1) };
}
