import { maxUploadBytes } from '@plimsoll/model';
import { z } from 'zod';
import { id } from '../field-types.ts';
import { contentEncodings, json, operationsFor, restingOnKev, shellScript } from '../operation.ts';
import {
  acceptedReportSchema,
  collectorQuerySchema,
  finishedReportSchema,
  reportQuerySchema,
  reportSchema,
} from '../report.ts';

const { forViewers, forOperators } = operationsFor('reports');

/** Operations on manually uploaded reports. */
export const reportOperations = {
  getCollectorScript: forViewers('get', '/api/v1/hosts/manual/script', {
    summary: 'The script that prints the report of the host it runs on',
    query: collectorQuerySchema,
    responses: { 200: shellScript('The collector of the family.') },
  }),
  uploadReport: forOperators('post', '/api/v1/hosts/{id}/report', {
    summary: 'Upload a report for any host',
    params: z.strictObject({ id }),
    query: reportQuerySchema,
    body: {
      kind: 'bytes',
      contentTypes: ['text/plain'],
      encodings: contentEncodings,
      limitBytes: maxUploadBytes,
      comesAs: 'report',
      description: "The collector's output (docs/report-format.md).",
    },
    responses: {
      202: json(
        acceptedReportSchema,
        "Stored and queued, or recognised as unchanged since the host's last upload.",
      ),
      200: restingOnKev(json(finishedReportSchema, 'Parsed and matched (`Prefer: wait`).')),
    },
    errors: ['host_retired', 'machine_id_mismatch', 'report_outdated', 'report_invalid', 'rate_limited'],
    waits: true,
    audit: ['report.uploaded'],
  }),
  getReport: forViewers('get', '/api/v1/hosts/{id}/reports/{reportId}', {
    summary: 'State of a report',
    params: z.strictObject({ id, reportId: id }),
    responses: { 200: json(reportSchema, 'The report.') },
  }),
};
