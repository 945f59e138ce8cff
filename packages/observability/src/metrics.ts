import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What a process measures of itself. Labels take few values: ids are never one. */
export interface Metrics {
  counter<Label extends string>(name: string, help: string, labels: readonly Label[]): Counter<Label>;
  /** `collect` runs whenever the metrics are read. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    collect?: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label>;
  /** `buckets` are upper bounds, ascending, in the unit the name ends with. */
  histogram<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    buckets: readonly number[],
  ): Histogram<Label>;
  /** Everything, in Prometheus' text format, and its content type. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** The metrics of a process, with those of Node itself: event loop lag, memory, garbage collection. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    counter: (name, help, labels) => new Counter({ name, help, labelNames: [...labels], registers }),
    gauge: (name, help, labels, collect) =>
      new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers,
        ...(collect === undefined
          ? {}
          : {
              async collect() {
                await collect(this);
              },
            }),
      }),
    histogram: (name, help, labels, buckets) =>
      new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers }),
    async render() {
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
