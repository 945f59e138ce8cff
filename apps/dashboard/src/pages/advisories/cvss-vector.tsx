import { Facts } from '../../design/page/facts.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { cvssMetrics } from '../../words/cvss-words.ts';
import styles from './advisories.module.css';

/** A CVSS vector, each of its metrics in words. */
export function CvssVector({ vector }: { readonly vector: string }) {
  const metrics = cvssMetrics(vector);
  return (
    <section className={styles['stack']} aria-label="CVSS vector in words">
      <p className={styles['muted']}>
        <ForeignText text={vector} mono />
      </p>
      <Facts
        facts={metrics.map(({ metric, value }) => [metric, <ForeignText key={metric} text={value} />])}
      />
    </section>
  );
}
