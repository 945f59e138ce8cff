import { numbersFrom, prose } from '../content/deterministic.ts';
import { cveOfRecord } from '../content/osv-records.ts';
import type { FeedLayout, Volume } from '../layout.ts';

/** AlmaLinux' errata site: one list for each release. */
export const almalinuxErrataLayout: FeedLayout = {
  feedId: 'almalinux-errata',
  files: ({ store, volume }) =>
    ['8', '9', '10'].map((number) => ({
      url: `https://errata.almalinux.org/${number}/errata.full.json`,
      content: store.keep(errata(number, volume)),
    })),
};

function* errata(number: string, { records, proseCharacters }: Volume): Generator<string> {
  const next = numbersFrom(2);
  yield '{"data": [';
  for (let n = 0; n < records; n++) {
    const cve = cveOfRecord(n);
    const build = { version: `1.${n}`, release: `3.el${number}_6`, epoch: '0' };
    const file = `binary${n}-${build.version}-${build.release}`;
    const record = {
      id: `ALSA-2026:${1000 + n}`,
      type: 'security',
      severity: 'Important',
      title: `Important: binary${n} security update`,
      description: prose(proseCharacters, next),
      issued_date: 1_767_300_000 + n,
      updated_date: 1_767_400_000 + n,
      references: [{ href: `https://vulners.com/cve/${cve}`, id: cve, type: 'cve' }],
      packages: ['x86_64', 'aarch64'].map((arch) => ({
        ...build,
        name: `binary${n}`,
        arch,
        src: `${file}.src.rpm`,
        filename: `${file}.${arch}.rpm`,
        module: '',
        reboot_suggested: 0,
      })),
      modules: [],
    };
    yield `${n === 0 ? '' : ','}${JSON.stringify(record)}`;
  }
  yield ']}';
}
