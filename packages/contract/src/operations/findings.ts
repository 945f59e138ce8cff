import { z } from 'zod';
import { findingExportQuerySchema, findingQuerySchema, findingSchema } from '../finding.ts';
import { csv, operationsFor, pageOfFleet, restingOnKev } from '../operation.ts';

const { forViewers } = operationsFor('findings');

/** Operations on the findings of the whole fleet; only approved hosts count. */
export const findingOperations = {
  listFindings: forViewers('get', '/api/v1/findings', {
    summary: 'Findings of the fleet by advisory, CVE, source package or host; what to do first comes first',
    heavy: true,
    query: findingQuerySchema,
    responses: { 200: restingOnKev(pageOfFleet(z.array(findingSchema), 'The findings, grouped.')) },
  }),
  exportFindings: forViewers('get', '/api/v1/findings.csv', {
    summary: 'The same findings as a table for spreadsheets, without formulas',
    heavy: true,
    query: findingExportQuerySchema,
    readAudit: 'data.exported',
    compressed: true,
    responses: {
      200: {
        ...csv(
          'One line per row. The file is named “incomplete” if of some hosts not all findings are known, or due dates may be too late. known_exploited is empty, not false, if CISA KEV was never synced; so is an overdue_hosts of zero if due dates depend on it.',
        ),
        headers: [
          'Content-Disposition',
          'Plimsoll-Gaps',
          'Plimsoll-Unknown-Hosts',
          'Plimsoll-Uncounted-Hosts',
          'Plimsoll-Exploited-Data',
        ],
      },
    },
  }),
} as const;
