import fc from 'fast-check';
import { placeOfProduct } from '../../../src/distributions/rhel/product.ts';
import { feedsOf } from '../../../src/index.ts';
import { brokenRecords, hostileTrees, hostileValues } from '../../hostile-values.ts';

const sample = {
  data: {
    'rhel-9-for-x86_64-baseos-rpms': { cpes: ['cpe:/o:redhat:enterprise_linux:9::baseos'] },
    'rhel-9-for-x86_64-baseos-eus-rpms': {
      cpes: ['cpe:/o:redhat:rhel_eus:9.0::baseos', 'cpe:/o:redhat:rhel_eus:9.2::baseos'],
    },
  },
  last_updated: '2025-02-12T00:48:44.112Z',
};
const words = [
  '',
  '../../x',
  'cpe:/o:redhat:',
  'cpe:/o:redhat:rhel_eus:9.0::baseos,cpe:/o:redhat:rhel_eus:9.2::baseos',
  `cpe:/o:redhat:${'9:'.repeat(200)}`,
  'cpe:/o:redhat:enterprise_linux:99999999999::baseos',
  '2025-99-99',
];
const trees = hostileTrees(words, ['data', 'cpes', 'last_updated', '__proto__', 'constructor', 'a-rpms', '']);

describe('the products that repositories ship', () => {
  it.each(feedsOf('repositories').map(({ id, read }) => [id, read] as const))(
    'are read by %s from any value without an error, and only in the right form',
    (_id, read) => {
      fc.assert(
        fc.property(fc.oneof(hostileValues(trees), brokenRecords([sample], trees)), (value) => {
          const reading = read(value, { release: null });
          if (reading.kind !== 'read') return;
          const names = reading.items.map(({ repository }) => repository);
          expect(names).toEqual([...new Set(names)].sort());
          for (const { repository, products } of reading.items) {
            expect(repository).toMatch(/^[A-Za-z0-9][A-Za-z0-9._:+-]*$/);
            expect(products.length).toBeGreaterThan(0);
            for (const product of products) {
              expect(product).not.toMatch(/[,\s]/);
              expect(placeOfProduct(product)).not.toBeNull();
            }
          }
          for (const { pointer } of reading.issues)
            expect(pointer.length).toBeLessThanOrEqual('/data/'.length + 200);
        }),
      );
      expect(read(sample, { release: null })).toMatchObject({ kind: 'read', issues: [] });
    },
  );
});
