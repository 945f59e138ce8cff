import { createSshAddressPolicy, type Lookup, type LookupOptions } from '../src/index.ts';

/** A resolver that answers on request of the test. */
class SlowResolver {
  readonly asked: string[] = [];
  private readonly answers: ((address: string) => void)[] = [];

  readonly lookup: Lookup = (hostname) => {
    this.asked.push(hostname);
    return new Promise((resolve) => this.answers.push((address) => resolve([{ address }])));
  };

  /** Answers the oldest question. */
  answer(address: string): void {
    this.answers.shift()?.(address);
  }
}

function policyWith(lookup: Lookup, options: LookupOptions = {}) {
  return createSshAddressPolicy([], { lookup, ...options });
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('reports a name that does not exist, and what to do', async () => {
  const policy = createSshAddressPolicy([]);
  await expect(policy.resolve('name.invalid')).rejects.toMatchObject({
    code: 'dns_failed',
    message: expect.stringMatching(
      /^The name name\.invalid cannot be resolved \(E[A-Z_]+\): check its spelling, /,
    ),
  });
});

it('gives up on a resolver that never answers', async () => {
  const policy = policyWith(new SlowResolver().lookup, { lookupTimeoutMs: 10 });
  await expect(policy.resolve('db.example')).rejects.toMatchObject({
    code: 'dns_failed',
    message: expect.stringContaining('no name server answered within 0.01 seconds'),
  });
});

it('runs no more look-ups at once than allowed, in order of arrival', async () => {
  const resolver = new SlowResolver();
  const policy = policyWith(resolver.lookup, { maxLookups: 2 });
  const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => policy.resolve(name)));
  await settled();
  expect(resolver.asked).toEqual(['a', 'b']);
  resolver.answer('10.0.0.1');
  await settled();
  expect(resolver.asked).toEqual(['a', 'b', 'c']);
  for (const last of [2, 3]) resolver.answer(`10.0.0.${last}`);
  await settled();
  resolver.answer('10.0.0.4');
  expect((await all).map(([{ address }]) => address)).toEqual([
    '10.0.0.1',
    '10.0.0.2',
    '10.0.0.3',
    '10.0.0.4',
  ]);
});

it('starts the next look-up only when the resolver has given up on an unanswered one, which keeps a thread until then', async () => {
  const resolver = new SlowResolver();
  const policy = policyWith(resolver.lookup, { maxLookups: 1, lookupTimeoutMs: 10 });
  const first = policy.resolve('dead.example');
  const second = policy.resolve('db.example');
  await expect(first).rejects.toMatchObject({ code: 'dns_failed' });
  expect(resolver.asked).toEqual(['dead.example']);
  resolver.answer('10.0.0.1');
  await settled();
  expect(resolver.asked).toEqual(['dead.example', 'db.example']);
  resolver.answer('10.0.0.2');
  expect(await second).toEqual([{ address: '10.0.0.2', family: 4 }]);
});

it('gives up on names waiting behind unanswered look-ups, and leaves their turns to later ones', async () => {
  const resolver = new SlowResolver();
  const policy = policyWith(resolver.lookup, { maxLookups: 1, turnTimeoutMs: 10 });
  const dead = policy.resolve('dead.example');
  await expect(policy.resolve('behind.example')).rejects.toMatchObject({
    code: 'dns_failed',
    message: expect.stringMatching(/behind\.example was not looked up within 0\.01 seconds, .*name servers/),
  });
  resolver.answer('10.0.0.1');
  await dead;
  const last = policy.resolve('last.example');
  await settled();
  resolver.answer('10.0.0.2');
  expect(await last).toEqual([{ address: '10.0.0.2', family: 4 }]);
  expect(resolver.asked).toEqual(['dead.example', 'last.example']);
});

it('continues after a resolver error', async () => {
  let asked = 0;
  const policy = policyWith(
    async () => {
      asked += 1;
      if (asked === 1) throw Object.assign(new Error('no'), { code: 'EAI_AGAIN' });
      return [{ address: '10.0.0.1' }];
    },
    { maxLookups: 1 },
  );
  await expect(policy.resolve('db.example')).rejects.toThrow('(EAI_AGAIN)');
  expect(await policy.resolve('db.example')).toEqual([{ address: '10.0.0.1', family: 4 }]);
});

it('ends with the signal’s reason while it waits for its turn or for the answer', async () => {
  const resolver = new SlowResolver();
  const policy = policyWith(resolver.lookup, { maxLookups: 1 });
  const stop = new AbortController();
  const outcomes = Promise.allSettled([
    policy.resolve('asked.example', stop.signal),
    policy.resolve('waits.example', stop.signal),
  ]);
  const last = policy.resolve('last.example');
  stop.abort(new Error('shutting down'));
  expect(await outcomes).toMatchObject(
    Array(2).fill({ status: 'rejected', reason: { message: 'shutting down' } }),
  );
  await expect(policy.resolve('late.example', stop.signal)).rejects.toThrow('shutting down');
  resolver.answer('10.0.0.1');
  await settled();
  resolver.answer('10.0.0.2');
  expect(await last).toEqual([{ address: '10.0.0.2', family: 4 }]);
  expect(resolver.asked).toEqual(['asked.example', 'last.example']);
});
