import { createMetrics, createProcessMetrics } from '../src/index.ts';

describe('createMetrics', () => {
  it("renders Node's own metrics and ours, in Prometheus' text format", async () => {
    const metrics = createProcessMetrics();
    metrics.counter('plimsoll_deliveries_total', 'Jobs delivered.', ['outcome']).inc({ outcome: 'done' }, 3);
    metrics.histogram('plimsoll_duration_seconds', 'How long.', [], [0.1, 1]).observe(0.5);
    const { contentType, text } = await metrics.render();
    expect(contentType).toContain('text/plain');
    expect(text).toContain('plimsoll_deliveries_total{outcome="done"} 3');
    expect(text).toContain('plimsoll_duration_seconds_bucket{le="1"} 1');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
  });

  it('reads a gauge anew each time it is rendered', async () => {
    const metrics = createMetrics();
    let waiting = 1;
    metrics.gauge('plimsoll_waiting', 'Jobs that wait.', [], (gauge) => gauge.set(waiting));
    expect((await metrics.render()).text).toContain('plimsoll_waiting 1');
    waiting = 2;
    expect((await metrics.render()).text).toContain('plimsoll_waiting 2');
  });

  it('keeps two of them apart', async () => {
    const first = createMetrics();
    const second = createMetrics();
    first.counter('plimsoll_mine_total', 'Mine.', []).inc();
    expect((await second.render()).text).not.toContain('plimsoll_mine_total');
  });

  it.each([['id'], ['host_id'], ['hostId'], ['uuid'], ['host'], ['url'], ['token']])(
    'refuses the label %s, whose values never end',
    (label) => {
      const metrics = createMetrics();
      expect(() => metrics.counter('plimsoll_a_total', 'A.', [label])).toThrow(RangeError);
      expect(() => metrics.gauge('plimsoll_b', 'B.', ['job', label])).toThrow(RangeError);
      expect(() => metrics.histogram('plimsoll_c_seconds', 'C.', [label], [1])).toThrow(RangeError);
    },
  );

  it.each([['job'], ['outcome'], ['route'], ['method'], ['status'], ['state'], ['queue'], ['valid']])(
    'takes the label %s',
    (label) => {
      expect(() => createMetrics().counter('plimsoll_a_total', 'A.', [label])).not.toThrow();
    },
  );
});
