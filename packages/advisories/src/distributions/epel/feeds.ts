import type { Advisory, AffectedPackage, Release } from '@plimsoll/model';
import type { AdvisoryFeed, AdvisoryReading } from '../../feeds/advisories/advisory-feed.ts';
import { epel } from '../../rpm/add-on.ts';
import { numberOfRelease, type RpmFamily, rpmRelease } from '../../rpm/rpm-family.ts';
import { severityOfWord } from '../../rpm/severity-word.ts';
import { rpmUpdateDialect } from '../../updateinfo/rpm-dialect.ts';
import type { UpdateFacts } from '../../updateinfo/update-dialect.ts';
import { updateinfoFeed } from '../../updateinfo/updateinfo-feed.ts';
import { almalinuxFamily } from '../almalinux/almalinux.ts';
import { centosFamily } from '../centos/centos.ts';
import { oracleFamily } from '../oracle/oracle.ts';
import { rhelFamily } from '../rhel/rhel-family.ts';
import { rockyFamily } from '../rocky/rocky.ts';
import { epelFiles } from './repositories.ts';

/** The distributions for which EPEL is built; its updates are read like Red Hat's. */
const others: readonly RpmFamily[] = [almalinuxFamily, rockyFamily, oracleFamily, centosFamily];

/** `Fedora EPEL 9`, `Fedora EPEL 10.1`, `Fedora EPEL 9 Next`; the short name of the first is `EPEL-9` or `EL-9`. */
const collection = /^Fedora EPEL (\d{1,2})(?:\.\d{1,2}| Next)?$/;

const updates = updateinfoFeed({
  id: 'epel-updateinfo',
  distribution: rhelFamily.id,
  title: 'EPEL',
  files: epelFiles,
  limits: [
    'It is about packages of EPEL alone; those that it does not name count as packages without a verdict.',
    'EPEL 7 and earlier ones are archived: their packages have no verdict.',
  ],
  dialect: {
    ...rpmUpdateDialect(rhelFamily, {
      urlOf: (id) => `https://bodhi.fedoraproject.org/updates/${encodeURIComponent(id)}`,
      severityOf(word) {
        const severity = severityOfWord(word);
        return severity === 'none' ? null : severity;
      },
    }),
    releaseOf: releaseOfUpdate,
    lineOf: () => epel.line,
  },
});

/** EPEL's updateinfo: errata about its packages on Red Hat Enterprise Linux and every distribution rebuilt from it. */
export const epelFeed: AdvisoryFeed = {
  ...updates,
  rebuilds: others.map(({ id }) => id),
  listsFixes: false,
  read: (record, context) => forEveryRelease(updates.read(record, { ...context, release: null })),
};

function releaseOfUpdate({ id, collections }: UpdateFacts): Release | null {
  if (!epel.advisoryId.test(id)) return null;
  const number = collections.flatMap((name) => collection.exec(name)?.[1] ?? [])[0];
  return number === undefined ? null : rpmRelease(rhelFamily, number);
}

function forEveryRelease(reading: AdvisoryReading): AdvisoryReading {
  if (reading.kind !== 'read') return reading;
  return { ...reading, items: reading.items.map((item): Advisory => ({ ...item, packages: spread(item) })) };
}

/**
 * The statements for every distribution's release with the same number, with versions as `comparable` returns
 * them.
 */
function spread({ packages }: Advisory): readonly AffectedPackage[] {
  return packages.flatMap(({ release, fix, ...rest }) => {
    const number = numberOfRelease(rhelFamily, release) ?? '';
    const own = fix.kind === 'fixed' ? { ...fix, version: epel.comparable(fix.version) } : fix;
    const releases = others
      .filter(({ lastDays }) => lastDays.has(number))
      .flatMap((family) => rpmRelease(family, number) ?? []);
    return [release, ...releases].map((each) => ({ ...rest, release: each, fix: own }));
  });
}
