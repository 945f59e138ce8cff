import { compareText } from '../../compare-text.ts';
import { fieldOf, objectOf } from '../../json-fields.ts';
import type { RepositoryFeed, RepositoryReading } from '../../repository-feeds/repository-feed.ts';
import { parseUpdateTime } from '../../updateinfo/update-time.ts';
import { placeOfProduct } from './product.ts';

const repositoryName = /^[A-Za-z0-9][A-Za-z0-9._:+-]{0,199}$/;
const cpeOfRedHat = /^cpe:\/[oa]:redhat:([A-Za-z0-9._:~-]{1,200})$/;
const maxRepositories = 200_000;
const maxCpes = 1_000;

/**
 * Red Hat's repository-to-cpe.json: `{ data: { REPOSITORY: { cpes } } }`, by which its own scanners tell what a host
 * gets. Repositories that ship no product of the distribution are left out.
 */
export const redHatRepositories: RepositoryFeed = {
  id: 'redhat-repository-to-cpe',
  distribution: 'rhel',
  format: 'repository-to-cpe',
  title: 'Red Hat repository to CPE',
  file: {
    url: 'https://security.access.redhat.com/data/meta/v1/repository-to-cpe.json',
    path: 'redhat/repository-to-cpe.json',
    release: null,
  },
  read: readRepositories,
};

function readRepositories(record: unknown): RepositoryReading {
  const file = objectOf(record);
  if (file === null) return { kind: 'rejected', reason: 'not_an_object' };
  const data = objectOf(fieldOf(file, 'data'));
  const entries = data === null ? [] : Object.entries(data);
  if (entries.length === 0 || entries.length > maxRepositories) {
    return { kind: 'rejected', reason: 'invalid_repositories' };
  }
  const broken: string[] = [];
  const repositories = entries.flatMap(([repository, value]) => {
    const products = productsIn(value);
    if (products !== null && repositoryName.test(repository)) {
      return products.length === 0 ? [] : [{ repository, products }];
    }
    broken.push(repository.slice(0, 200));
    return [];
  });
  const time = fieldOf(file, 'last_updated');
  return {
    kind: 'repositories',
    repositories: repositories.sort((a, b) => compareText(a.repository, b.repository)),
    broken,
    asOf: typeof time === 'string' ? parseUpdateTime(time) : null,
  };
}

/** The distribution's products among an entry's CPEs; null where the entry is of a wrong form. */
function productsIn(value: unknown): readonly string[] | null {
  const entry = objectOf(value);
  const cpes = entry === null ? null : fieldOf(entry, 'cpes');
  if (!Array.isArray(cpes) || cpes.length > maxCpes) return null;
  const products = cpes.flatMap((cpe) => (typeof cpe === 'string' ? (cpeOfRedHat.exec(cpe)?.[1] ?? []) : []));
  return [...new Set(products.filter((product) => placeOfProduct(product) !== null))].sort(compareText);
}
