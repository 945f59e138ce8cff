import { createInterner } from '@plimsoll/db';
import type { Release, Repository, Snapshot } from '@plimsoll/model';
import { databasePerFile } from '@plimsoll/testing';
import { followedReleaseLineOf } from '../../src/intake/intern-snapshot.ts';

const database = databasePerFile();

const repository = (id: string, enabled = true): Repository => ({
  id,
  enabled,
  url: '',
  suite: '',
  origin: '',
});
const eus = 'rhel-9-for-x86_64-baseos-eus-rpms';

describe('the line that a snapshot’s repositories follow', () => {
  it('is derived from the enabled repositories, and only on a distribution with lines', async () => {
    const { db } = database;
    const interner = await createInterner(db).begin();
    const lineOn = async (name: string, repositories: readonly Repository[]) => {
      const release = await interner.release(
        { name: name as Release, feedId: null, endsAt: null, rules: 1 },
        async () => undefined,
      );
      const platform = { osVersion: '9.0', osVersionId: '9.0' };
      const snapshot = { platform, repositories } as unknown as Snapshot; // The fields that finding the line reads.
      return followedReleaseLineOf(interner, release, snapshot);
    };
    expect(await lineOn('rhel:9', [repository(eus)])).toBeNull();
    await db.pool.query('INSERT INTO repository_products (repository, products) VALUES ($1, $2)', [
      eus,
      ['rhel_eus:9.0::baseos', 'rhel_eus:9.2::baseos'],
    ]);
    expect(await lineOn('rhel:9', [repository(eus)])).toBe('el9_0');
    expect(await lineOn('rhel:9', [repository(eus, false)])).toBeNull();
    expect(await lineOn('almalinux:9', [repository(eus)])).toBeNull();
  });
});
