import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of a process. Labels have few values: throws RangeError for one that looks like an id. */
export interface Metrics {
  counter<Label extends string>(name: string, help: string, labels: readonly Label[]): Counter<Label>;
  /** `collect` runs at each read of the metrics. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    collect?: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label>;
  /** `buckets` are ascending upper bounds, in the unit at the end of the name. */
  histogram<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    buckets: readonly number[],
  ): Histogram<Label>;
  /** All metrics in Prometheus' text format, with the content type. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Metrics of a process, including Node's own: event loop lag, memory, garbage collection. Observes until the process ends. */
export function createProcessMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return metricsIn(registry);
}

/** Metrics without Node's own. */
export function createMetrics(): Metrics {
  return metricsIn(new Registry());
}

function metricsIn(registry: Registry): Metrics {
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

/** Each value of a label is a series that stays in memory: never a host, an upload or a user. */
function fewValued<Label extends string>(labels: readonly Label[]): Label[] {
  const unbounded = labels.find((label) => /(^|_)(u?u?id|host|upload|user|token|url|path)$|Id$/.test(label));
  if (unbounded !== undefined) throw new RangeError(`the label ${unbounded} would take too many values`);
  return [...labels];
}
