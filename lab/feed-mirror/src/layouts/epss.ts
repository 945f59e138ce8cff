import { gzipSync } from 'node:zlib';
import { numbersFrom } from '../content/deterministic.ts';
import { cveOfRecord } from '../content/osv-records.ts';
import type { FeedLayout } from '../layout.ts';

const host = 'https://epss.empiricalsecurity.com';
const day = '2026-11-21';

/** FIRST's scores: the current file redirects to the file of the day. */
export const epssLayout: FeedLayout = {
  feedId: 'epss',
  files: ({ store, volume: { records } }) => {
    const next = numbersFrom(4);
    const lines = [`#model_version:v2025.03.14,score_date:${day}T12:55:00Z`, 'cve,epss,percentile'];
    for (let n = 0; n < records; n++)
      lines.push(`${cveOfRecord(n)},${next().toFixed(5)},${next().toFixed(5)}`);
    const dated = `${host}/epss_scores-${day}.csv.gz`;
    return [
      { url: `${host}/epss_scores-current.csv.gz`, redirectTo: dated },
      { url: dated, content: store.keep([gzipSync(`${lines.join('\n')}\n`)]) },
    ];
  },
};
