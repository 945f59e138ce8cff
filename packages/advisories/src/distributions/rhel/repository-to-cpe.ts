import { compareText } from '@plimsoll/model';
import type { FeedIssue, FeedReading } from '../../feeds/feed.ts';
import type { RepositoryFeed, RepositoryProducts } from '../../feeds/repositories/repository-feed.ts';
import { fieldOf, objectOf } from '../../json-fields.ts';
import { parseUpdateTime } from '../../updateinfo/update-time.ts';
import { placeOfProduct } from './product.ts';

const repositoryName = /^[A-Za-z0-9][A-Za-z0-9._:+-]{0,199}$/;
const cpeOfRedHat = /^cpe:\/[oa]:redhat:([A-Za-z0-9._:~-]{1,200})$/;
const maxRepositories = 200_000;
const maxCpes = 1_000;

/**
 * Red Hat's repository-to-cpe.json: `{ data: { REPOSITORY: { cpes } } }`, which Red Hat's own scanners use to find a
 * host's products. Repositories without a product of the distribution are skipped.
 */
export const redHatRepositories: RepositoryFeed = {
  id: 'redhat-repository-to-cpe',
  distribution: 'rhel',
  kind: 'repositories',
  format: 'repository-to-cpe',
  title: 'Red Hat repository to CPE',
  files: [
    {
      url: 'https://security.access.redhat.com/data/meta/v1/repository-to-cpe.json',
      path: 'redhat/repository-to-cpe.json',
      release: null,
    },
  ],
  read: readRepositories,
};

function readRepositories(record: unknown): FeedReading<RepositoryProducts> {
  const file = objectOf(record);
  if (file === null) return { kind: 'rejected', reason: 'not_an_object' };
  const data = objectOf(fieldOf(file, 'data'));
  const entries = data === null ? [] : Object.entries(data);
  if (entries.length === 0 || entries.length > maxRepositories) {
    return { kind: 'rejected', reason: 'invalid_repositories' };
  }
  const issues: FeedIssue[] = [];
  const items = entries.flatMap(([repository, value]) => {
    const products = productsIn(value);
    if (products !== null && repositoryName.test(repository)) {
      return products.length === 0 ? [] : [{ repository, products }];
    }
    issues.push({
      pointer: `/data/${repository.slice(0, 200)}`,
      reason: 'is no repository with its CPEs',
    });
    return [];
  });
  const time = fieldOf(file, 'last_updated');
  return {
    kind: 'read',
    items: items.sort((a, b) => compareText(a.repository, b.repository)),
    asOf: typeof time === 'string' ? parseUpdateTime(time) : null,
    issues,
  };
}

/** The distribution's products among an entry's CPEs; null if the entry is malformed. */
function productsIn(value: unknown): readonly string[] | null {
  const entry = objectOf(value);
  const cpes = entry === null ? null : fieldOf(entry, 'cpes');
  if (!Array.isArray(cpes) || cpes.length > maxCpes) return null;
  const products = cpes.flatMap((cpe) => (typeof cpe === 'string' ? (cpeOfRedHat.exec(cpe)?.[1] ?? []) : []));
  return [...new Set(products.filter((product) => placeOfProduct(product) !== null))].sort(compareText);
}
