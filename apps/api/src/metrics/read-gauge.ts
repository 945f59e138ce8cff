import type { Logger, Metrics } from '@plimsoll/process';

/** A gauge whose values are read at each scrape. */
export interface ReadGauge {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Each value after the values of its labels. */
  readonly read: () => Promise<readonly (readonly [...words: string[], value: number])[]>;
}

/** Registers gauges. One that cannot be read now has no value. */
export function registerGauges(
  { metrics, logger }: { readonly metrics: Metrics; readonly logger: Logger },
  gauges: readonly ReadGauge[],
): void {
  for (const { name, help, labels, read } of gauges)
    metrics.gauge(name, help, labels, async (gauge) => {
      const rows = await read().catch((error: unknown) => {
        logger.warn({ err: error }, 'metrics not read');
        return [];
      });
      gauge.reset();
      for (const row of rows) gauge.labels(...row.slice(0, -1).map(String)).set(Number(row.at(-1)));
      // Otherwise it would be 0.
      if (labels.length === 0 && rows.length === 0) gauge.remove();
    });
}
