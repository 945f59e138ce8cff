import fc from 'fast-check';
import { jobId } from '../src/job-lines.ts';

const keys = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer().map(String),
  fc.constantFrom('', '-', '0', '0:1', '%_', '%_7', '%25_7', '%_events', 'events', 'import a:b'),
);

describe('jobId', () => {
  it('is an id that BullMQ accepts, for any key', () => {
    fc.assert(
      fc.property(keys, (key) => {
        const id = jobId(key);
        expect(id).not.toBe('');
        expect(id).not.toContain(':');
        expect(`${Number.parseInt(id, 10)}`).not.toBe(id);
      }),
    );
  });

  it.each(['events', 'wait', 'meta', 'id', 'stalled-check'])("is not the queue's own key %s", (key) => {
    expect(jobId(key)).not.toBe(key);
  });

  it('differs if the keys differ', () => {
    fc.assert(fc.property(keys, keys, (a, b) => expect(jobId(a) === jobId(b)).toBe(a === b)));
  });

  it('leaves a UUID unchanged, so that people can find it', () => {
    expect(jobId('01932b5c-7b1e-7c3a-9f00-0123456789ab')).toBe('01932b5c-7b1e-7c3a-9f00-0123456789ab');
  });

  it('refuses text that is not valid Unicode', () => {
    expect(() => jobId('\ud800')).toThrow(URIError);
  });
});
