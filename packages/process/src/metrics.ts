import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What a process measures of itself. Labels take few values: one that looks like an id is refused with a RangeError. */
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
    counter: (name, help, labels) => new Counter({ name, help, labelNames: fewValued(labels), registers }),
    gauge: (name, help, labels, collect) =>
      new Gauge({
        name,
        help,
        labelNames: fewValued(labels),
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
      new Histogram({ name, help, labelNames: fewValued(labels), buckets: [...buckets], registers }),
    async render() {
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** Each value of a label is a series of its own, kept for ever: no host, no upload, no person may be one. */
function fewValued<Label extends string>(labels: readonly Label[]): Label[] {
  const unbounded = labels.find((label) => /(^|_)(u?u?id|host|upload|user|token|url|path)$|Id$/.test(label));
  if (unbounded !== undefined) throw new RangeError(`the label ${unbounded} would take too many values`);
  return [...labels];
}
