import { type JobSpec, jobs } from '../src/index.ts';

const entries: [string, JobSpec][] = Object.entries(jobs);

describe.each(entries)('the registry entry %s', (name, spec) => {
  it('has a valid queue name', () => {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  it('has more than one attempt, so that a temporary failure does not drop the job', () => {
    expect(spec.attempts).toBeGreaterThan(1);
    expect(spec.firstBackoffMs).toBeGreaterThan(0);
  });

  it('is available again within a minute after its worker died', () => {
    expect(spec.stalledCheckMs).toBeLessThanOrEqual(spec.lockMs);
    expect(spec.lockMs + 2 * spec.stalledCheckMs).toBeLessThanOrEqual(60_000);
  });

  it('limits the time of an attempt', () => {
    expect(spec.timeoutMs).toBeGreaterThan(0);
    expect(spec.timeoutMs).toBeLessThan(24 * 3_600_000);
  });

  it.each([[undefined], [null], [42], ['text'], [{}], [[]]])('refuses %j as a payload', (payload) => {
    expect(spec.payload.safeParse(payload).success).toBe(false);
  });
});

const id = '01932b5c-7b1e-7c3a-9f00-0123456789ab';

describe('the payloads', () => {
  it.each([
    ['report-parse', { uploadId: id }],
    ['advisory-match', { uploadId: id, others: [id] }],
    ['advisory-sync', { kind: 'import', importId: id }],
    ['advisory-sync', { kind: 'sync', feedId: 'debian' }],
  ] as const)('of %s may be %j', (name, payload) => {
    const parsed = jobs[name].payload.safeParse(payload);
    expect(parsed.data).toEqual(payload);
  });

  it.each([
    ['report-parse', { uploadId: 'not-a-uuid' }],
    ['report-parse', { hostId: id }],
    ['advisory-sync', { importId: id }],
    ['advisory-sync', { kind: 'import', importId: '7' }],
    ['advisory-sync', { kind: 'sync', feedId: '' }],
  ] as const)('of %s may not be %j', (name, payload) => {
    expect(jobs[name].payload.safeParse(payload).success).toBe(false);
  });

  it('have different keys for a file import and a sync with the same id', () => {
    const spec = jobs['advisory-sync'];
    const payloads = [
      { kind: 'import', importId: id },
      { kind: 'sync', feedId: id },
    ];
    const keys = payloads.map((payload) => spec.dedupKey(spec.payload.parse(payload)));
    expect(new Set(keys).size).toBe(2);
  });
});
