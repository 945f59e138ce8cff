import type { AdvisoryFeed } from '../../feeds/advisories/advisory-feed.ts';
import { repositoryFiles } from '../../updateinfo/repository-files.ts';
import { rpmUpdateDialect } from '../../updateinfo/rpm-dialect.ts';
import { updateinfoFeed } from '../../updateinfo/updateinfo-feed.ts';
import { amazonFamily } from './amazon.ts';
import { amazonRepositories } from './repositories.ts';
import { lineInAlas } from './topics.ts';

/** `ALAS-2019-1246` is for release 1; other ids contain the release and the extras topic: `ALAS2PHP8.0-2023-001`. */
const alasId = /^ALAS(2023|2022|2)?[A-Z0-9.-]*?-?\d{4}-\d+$/;

/** Amazon's feeds: the updateinfo of its repositories and its security center. */
export const amazonFeeds: readonly AdvisoryFeed[] = [
  updateinfoFeed({
    id: 'amazon-updateinfo',
    distribution: 'amazon',
    title: 'Amazon Linux',
    files: repositoryFiles(amazonFamily, amazonRepositories),
    dialect: rpmUpdateDialect(amazonFamily, {
      urlOf: alasPage,
      numberOf: ({ id }) => numberIn(id),
      lineOf: (name, evr, id) => lineInAlas(id, name, evr),
    }),
  }),
];

function numberIn(id: string): string | null {
  const match = alasId.exec(id);
  return match === null ? null : (match[1] ?? '1');
}

const folders: ReadonlyMap<string, string> = new Map([
  ['1', ''],
  ['2', 'AL2/'],
  ['2022', 'AL2022/'],
  ['2023', 'AL2023/'],
]);

function alasPage(id: string): string {
  const folder = folders.get(numberIn(id) ?? '1') ?? '';
  return `https://alas.aws.amazon.com/${folder}${encodeURIComponent(id)}.html`;
}
