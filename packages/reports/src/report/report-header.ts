import { isPackageFamily, type PackageFamily } from '@plimsoll/model';
import type { Problems } from '../snapshot/field-reader.ts';
import { neitherFamily } from '../snapshot/os-family.ts';
import { atLine } from './at-line.ts';
import { describeForeignText } from './foreign-text.ts';

/** A report's first line. */
export interface ReportHeader {
  /** The family of the collector that created the report. */
  readonly family: PackageFamily;
  readonly collectorVersion: string;
}

const formatVersion = 1;
const form = /^plimsoll-report (\d{1,9}) (\S{1,64}) (\S{1,256}) *$/;

/** Parses the first line of `text`; null, with an error that describes the actual content, if it is not a report's. */
export function readReportHeader(line: string, text: string, problems: Problems): ReportHeader | null {
  const refuse = (detail: string): null => {
    problems.error(atLine(1), detail);
    return null;
  };
  if (!line.startsWith('plimsoll-report')) return refuse(describeForeignText(text));
  const [, version = '', family = '', collectorVersion = ''] = form.exec(line) ?? [];
  if (version === '') return refuse('should read "plimsoll-report 1 FAMILY VERSION"');
  if (Number(version) > formatVersion) {
    return refuse(
      `is of format ${version}, which is newer than this service; it understands ${formatVersion}`,
    );
  }
  if (Number(version) < formatVersion) return refuse(`there is no format ${version}`);
  if (!isPackageFamily(family)) return refuse(`names a family that is ${neitherFamily}`);
  return { family, collectorVersion };
}
