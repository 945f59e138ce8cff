import { describeWhere } from '@plimsoll/testing';
import { collect, createStartups } from '../src/index.ts';
import { atEase, missingForSshd, setUpSite } from './site.ts';

const never = new AbortController().signal;

describe('startups', () => {
  it('are counted for each server separately', async () => {
    const startups = createStartups(1);
    const first = await startups.acquire('a 22', never);
    (await startups.acquire('b 22', never))();
    const waiting = startups.acquire('a 22', AbortSignal.timeout(50));
    await expect(waiting).rejects.toThrow();
    const next = startups.acquire('a 22', never);
    first();
    first();
    (await next)();
  });
});

describeWhere(missingForSshd, 'many hosts behind one sshd as it comes', () => {
  it('all succeed although the server drops connections once eight run no command yet', async () => {
    const site = await setUpSite({ settings: ['MaxStartups 8:100:8'] });
    try {
      await site.allow(null);
      const options = atEase();
      const results = await Promise.all(Array.from({ length: 40 }, () => collect(site.request(), options)));
      expect(results.filter(({ kind }) => kind !== 'collected')).toEqual([]);
    } finally {
      await site.stop();
    }
  });
});
