import { anyBuild, type Builds } from '@plimsoll/model';
import type { OsvDialect, OsvIdentity } from '../../osv/dialect.ts';
import { splitEvr } from '../../rpm/evr.ts';
import { isModularRelease, streamsInTitle } from '../../rpm/module-stream.ts';
import { isRpmPackageName } from '../../rpm/package-name.ts';
import { rpmRelease } from '../../rpm/rpm-family.ts';
import { severityOfTitle } from '../../rpm/severity-word.ts';
import { almalinuxFamily } from './almalinux.ts';
import { errataPage } from './errata-page.ts';

const ecosystem = 'AlmaLinux:';
/** `ALSA`: security, `ALBA`: bug fixes, `ALEA`: enhancements. */
const errataId = /^AL([SBE])A-\d{4}:[A-Za-z0-9]{1,20}$/;

/**
 * AlmaLinux' OSV: packages are binary packages, epochs of 0 are omitted, and module streams appear only in the
 * summary. Records list rebuilds next to builds (`.el8` and `.el8.alma`): either is a fix.
 */
export const almalinuxOsv: OsvDialect = {
  scheme: 'rpm',
  placeOf(name) {
    const number = name.startsWith(ecosystem) ? name.slice(ecosystem.length) : '';
    const release = rpmRelease(almalinuxFamily, number);
    return release === null ? null : { release, service: null, line: null };
  },
  isPackageName: isRpmPackageName,
  identify,
  buildsOf: (version, _place, { summary }) => buildsIn(version, summary),
  repeats: 'all',
  rate: (_specific, { summary }) => ({
    severity: severityOfTitle(summary),
    unfixed: { kind: 'unfixed', reason: 'no_fix', detail: '' },
  }),
};

function identify(id: string): OsvIdentity | null {
  const letter = errataId.exec(id)?.[1];
  if (letter === undefined) return null;
  return letter === 'S' ? { kind: 'erratum', url: errataPage(id) } : { kind: 'not_about_security' };
}

/** A module build belongs to the streams in the summary; empty if the summary names none. */
function buildsIn(version: string | null, summary: string): readonly Builds[] {
  const modular = version !== null && isModularRelease(splitEvr(version).release);
  const streams = modular ? streamsInTitle(summary) : [''];
  return streams.map((module) => ({ ...anyBuild, module }));
}
