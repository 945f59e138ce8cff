import { anyBuild } from '@plimsoll/model';
import type { OsvDialect, OsvPlace } from '../../osv/dialect.ts';
import { isRpmPackageName } from '../../rpm/package-name.ts';
import { type RpmFamily, rpmRelease } from '../../rpm/rpm-family.ts';
import { openSuseFamily, suseFamily } from './suse.ts';

const updateId = /^(?:SUSE|openSUSE)-(?:SU|RU|FU|OU|SLE)-[A-Za-z0-9:.-]{1,60}$/;
/** `Linux Enterprise Module for Basesystem 15 SP5`, `Linux Enterprise Server 12 SP5-LTSS`. */
const enterprise =
  /^SUSE:Linux (?:Enterprise|Micro)\b[^:]*?\s(\d{1,2})(?:\.(\d{1,2})|\s?SP(\d{1,2}))?(-[A-Z0-9 -]+)?$/i;
const leap = /^openSUSE:Leap (\d{1,2}\.\d{1,2})$/;
const longTerm = /ltss|espos|teradata/i;

/** SUSE's OSV for its products: a release gets a fix from any product that ships it. */
export const suseOsv: OsvDialect = dialectOf((ecosystem) => {
  const [, major, minor, servicePack, suffix = ''] = enterprise.exec(ecosystem) ?? [];
  if (major === undefined) return null;
  const minorNumber = minor ?? servicePack;
  const number = minorNumber === undefined ? major : `${major}.${minorNumber}`;
  return placed(suseFamily, number, longTerm.test(suffix) || longTerm.test(ecosystem) ? 'ltss' : null);
});

/** The same for openSUSE Leap. */
export const openSuseOsv: OsvDialect = dialectOf((ecosystem) => {
  const number = leap.exec(ecosystem)?.[1];
  return number === undefined ? null : placed(openSuseFamily, number, null);
});

function placed(family: RpmFamily, number: string, service: string | null): OsvPlace | null {
  const release = rpmRelease(family, number);
  return release === null ? null : { release, service, line: null };
}

function dialectOf(placeOf: OsvDialect['placeOf']): OsvDialect {
  return {
    scheme: 'rpm',
    placeOf,
    isPackageName: isRpmPackageName,
    identify: (id) =>
      updateId.test(id)
        ? {
            kind: 'erratum',
            url: `https://www.suse.com/support/update/announcement/?id=${encodeURIComponent(id)}`,
          }
        : null,
    buildsOf: () => ({ ...anyBuild, module: '' }),
    repeats: 'all',
    rate: () => ({ severity: null, unfixed: { kind: 'unfixed', reason: 'no_fix', detail: '' } }),
  };
}
