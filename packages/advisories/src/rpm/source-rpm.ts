/** The parts of a source rpm's file name; it has no epoch. */
export interface SourceRpm {
  readonly name: string;
  readonly version: string;
  readonly release: string;
}

const form = /^(.+)-([^-:]+)-([^-:]+)\.(?:no)?src\.rpm$/;
const maxCharacters = 300;

/** Parses `perl-5.26.3-422.el8.src.rpm`; null for other text. */
export function sourceRpmOf(file: string): SourceRpm | null {
  if (file.length > maxCharacters) return null;
  const [, name, version, release] = form.exec(file) ?? [];
  return name === undefined || version === undefined || release === undefined
    ? null
    : { name, version, release };
}
