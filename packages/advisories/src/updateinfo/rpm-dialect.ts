import type { Release } from '@plimsoll/model';
import type { RecordContext } from '../feeds/feed.ts';
import { distTagOf } from '../rpm/dist-tag.ts';
import { lineOf } from '../rpm/own-line.ts';
import { numberOfRelease, type RpmFamily, rpmRelease } from '../rpm/rpm-family.ts';
import { severityOfWord } from '../rpm/severity-word.ts';
import type { UpdateDialect, UpdateFacts } from './update-dialect.ts';

/**
 * How to read a family's updateinfo. `numberOf` finds the release number in an update; otherwise the file's release
 * applies to all its updates.
 */
export function rpmUpdateDialect(
  family: RpmFamily,
  dialect: Pick<UpdateDialect, 'urlOf'> &
    Partial<Pick<UpdateDialect, 'severityOf' | 'lineOf'>> & { numberOf?(update: UpdateFacts): string | null },
): UpdateDialect {
  return {
    releaseOf: (update, context) =>
      isOfAddOn(family, update) ? null : releaseOf(family, context, dialect.numberOf?.(update) ?? null),
    isBuildFor(rpmRelease, release) {
      const tag = distTagOf(rpmRelease);
      const number = numberOfRelease(family, release);
      return tag === null || number === null || family.isOwnTag({ ...tag, suffix: '' }, number);
    },
    lineOf: dialect.lineOf ?? ((name, evr) => lineOf(name, evr, family.lines)),
    severityOf: dialect.severityOf ?? severityOfWord,
    urlOf: dialect.urlOf,
  };
}

/**
 * Whether an update is an add-on's. Its collections are named like a distribution's, but it never belongs to
 * one.
 */
function isOfAddOn({ addOns = [] }: RpmFamily, { id }: UpdateFacts): boolean {
  return addOns.some(({ advisoryId }) => advisoryId.test(id));
}

function releaseOf(family: RpmFamily, { release }: RecordContext, named: string | null): Release | null {
  if (release !== null) return numberOfRelease(family, release) === null ? null : release;
  return named === null ? null : rpmRelease(family, named);
}
