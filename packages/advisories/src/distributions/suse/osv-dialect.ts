import { anyBuild } from '@plimsoll/model';
import type { OsvDialect } from '../../osv/dialect.ts';
import { isRpmPackageName } from '../../rpm/package-name.ts';
import { numberOfRelease, type RpmFamily } from '../../rpm/rpm-family.ts';
import { placesOfProduct } from './products.ts';
import { openSuseFamily, suseFamily } from './suse.ts';

const updateId = /^(?:SUSE|openSUSE)-(?:SU|RU|FU|OU|SLE)-[A-Za-z0-9:.-]{1,60}$/;

/** The page of one of SUSE's updates; null for an id of another form. */
export function suseUpdatePage(id: string): string | null {
  return updateId.test(id)
    ? `https://www.suse.com/support/update/announcement/?id=${encodeURIComponent(id)}`
    : null;
}

/** SUSE's OSV for its products: a release gets a fix from any product that ships it. */
export const suseOsv: OsvDialect = dialectOf(suseFamily);

/** The same for openSUSE. */
export const openSuseOsv: OsvDialect = dialectOf(openSuseFamily);

function dialectOf(family: RpmFamily): OsvDialect {
  return {
    scheme: 'rpm',
    // Ecosystems are names of products: `SUSE:Linux Enterprise Server 15 SP5`.
    placeOf: (ecosystem) =>
      placesOfProduct(ecosystem.replace(':', ' ')).find(
        ({ release }) => numberOfRelease(family, release) !== null,
      ) ?? null,
    isPackageName: isRpmPackageName,
    identify(id) {
      const url = suseUpdatePage(id);
      return url === null ? null : { kind: 'erratum', url };
    },
    buildsOf: (_version, { line }) => ({ ...anyBuild, module: '', line }),
    repeats: 'all',
    rate: () => ({ severity: null, unfixed: { kind: 'unfixed', reason: 'no_fix', detail: '' } }),
  };
}
