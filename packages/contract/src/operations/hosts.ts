import { z } from 'zod';
import { csvType } from '../csv.ts';
import { id, paging } from '../field-types.ts';
import {
  hostChangesSchema,
  hostDetailSchema,
  hostExportQuerySchema,
  hostQuerySchema,
  hostSchema,
  newManualHostSchema,
} from '../host.ts';
import { hostActionSchema, hostActionsAnswerSchema, hostExportRequestSchema } from '../host-action.ts';
import { comparisonQuerySchema, comparisonSchema } from '../host-comparison.ts';
import { oddOnesOutQuerySchema, oddOnesOutSchema } from '../odd-ones-out.ts';
import {
  csv,
  empty,
  json,
  jsonBody,
  ofHost,
  operationsFor,
  page,
  pageOfHost,
  restingOnKev,
} from '../operation.ts';
import { snapshotSchema, snapshotSummarySchema, uploadSchema } from '../snapshot.ts';

const { forViewers, forOperators } = operationsFor('hosts');

const hostParams = z.strictObject({ id });
const pageQuery = z.strictObject(paging);
const snapshotAnswer = {
  description: 'The snapshot; its raw protobuf alone where the client accepts that.',
  json: snapshotSchema,
  otherTypes: ['application/x-protobuf'],
  headers: [],
} as const;

/** Operations on hosts and their uploads. */
export const hostOperations = {
  listHosts: forViewers('get', '/api/v1/hosts', {
    summary: 'Hosts; without limit all of them as one array',
    heavy: true,
    compressed: true,
    query: hostQuerySchema,
    responses: { 200: restingOnKev(pageOfHost(z.array(hostSchema), 'The hosts.')) },
  }),
  exportHosts: forViewers('get', '/api/v1/hosts.csv', {
    summary: 'Hosts as a table for spreadsheets, without formulas; filters and order as in the list',
    heavy: true,
    query: hostExportQuerySchema,
    readAudit: 'data.exported',
    compressed: true,
    responses: {
      200: restingOnKev(
        csv('One line per host. A count is empty, not zero, if nothing is known of it; see the column gaps.'),
      ),
    },
  }),
  compareHosts: forViewers('get', '/api/v1/hosts/compare', {
    summary: 'What two hosts have in common and what not: packages, findings, kernel, repositories, facts',
    heavy: true,
    query: comparisonQuerySchema,
    errors: ['not_found'],
    responses: {
      200: restingOnKev(
        ofHost(comparisonSchema, 'The comparison by the newest report of each; with the gaps of both.'),
      ),
    },
  }),
  findOddHosts: forViewers('get', '/api/v1/hosts/odd-ones-out', {
    summary: 'The hosts of a selection that differ by a package or version from nearly all others',
    heavy: true,
    query: oddOnesOutQuerySchema,
    responses: { 200: json(oddOnesOutSchema, 'The hosts that differ, by release.') },
  }),
  exportSelectedHosts: forViewers('post', '/api/v1/hosts/export', {
    summary: 'Hosts named by id or selected by filters, as a table for spreadsheets or as JSON',
    heavy: true,
    body: jsonBody(hostExportRequestSchema),
    readAudit: 'data.exported',
    compressed: true,
    unaudited: 'It changes nothing: a selection is too long for an address.',
    responses: {
      200: {
        description: 'The hosts by display name; ids without a host are left out.',
        json: z.array(hostSchema),
        otherTypes: [csvType],
        headers: ['Content-Disposition', 'X-Total-Count', 'Plimsoll-Exploited-Data'],
      },
    },
  }),
  listHostIds: forViewers('get', '/api/v1/hosts/ids', {
    summary:
      'The ids of all hosts that filters select, by display name: for actions on many hosts, 1,000 at a time',
    heavy: true,
    query: hostExportQuerySchema.omit({ sort: true }),
    responses: { 200: json(z.array(id), 'The ids, as of one moment.') },
  }),
  actOnHosts: forOperators('post', '/api/v1/hosts/actions', {
    summary:
      'Do one action to up to 1,000 hosts, named by id or selected by filters; answers what became of each',
    body: jsonBody(hostActionSchema),
    responses: {
      200: json(hostActionsAnswerSchema, 'Done in one transaction: with every host that it applies to.'),
    },
    errors: ['conflict'],
    audit: [
      'host.approved',
      'host.updated',
      'pull.requested',
      'host.retired',
      'host.reinstated',
      'host.deleted',
    ],
  }),
  getHost: forViewers('get', '/api/v1/hosts/{id}', {
    summary: 'One host',
    params: hostParams,
    responses: { 200: restingOnKev(json(hostDetailSchema, 'The host.')) },
  }),
  createManualHost: forOperators('post', '/api/v1/hosts/manual', {
    summary: 'Add a host whose reports are uploaded by hand',
    body: jsonBody(newManualHostSchema),
    responses: { 201: json(hostSchema, 'The host, approved.') },
    audit: ['host.created'],
  }),
  updateHost: forOperators('patch', '/api/v1/hosts/{id}', {
    summary: 'Change the name, tags or pull settings of a host',
    params: hostParams,
    body: jsonBody(hostChangesSchema),
    responses: { 200: restingOnKev(json(hostSchema, 'The host as it is now.')) },
    errors: ['not_an_ssh_host'],
    audit: ['host.updated'],
  }),
  deleteHost: forOperators('delete', '/api/v1/hosts/{id}', {
    summary: 'Delete a host with all its data',
    params: hostParams,
    responses: { 204: empty('Nothing of it is left.') },
    audit: ['host.deleted'],
  }),
  approveHost: forOperators('post', '/api/v1/hosts/{id}/approve', {
    summary: 'Approve a host, which includes it in all totals; approving twice is allowed',
    params: hostParams,
    responses: { 200: restingOnKev(json(hostSchema, 'The host as it is now.')) },
    errors: ['host_retired'],
    audit: ['host.approved'],
  }),
  getLatestSnapshot: forViewers('get', '/api/v1/hosts/{id}/snapshot', {
    summary: "A host's newest snapshot",
    heavy: true,
    params: hostParams,
    readAudit: 'payload.read',
    responses: { 200: snapshotAnswer },
    errors: ['no_snapshot'],
  }),
  listSnapshots: forViewers('get', '/api/v1/hosts/{id}/snapshots', {
    summary: "A host's snapshots without their payload, newest first",
    params: hostParams,
    query: pageQuery,
    responses: { 200: page(z.array(snapshotSummarySchema), 'The snapshots.') },
  }),
  getSnapshot: forViewers('get', '/api/v1/hosts/{id}/snapshots/{snapshotId}', {
    summary: "One of a host's snapshots",
    heavy: true,
    params: z.strictObject({ id, snapshotId: id }),
    readAudit: 'payload.read',
    responses: { 200: snapshotAnswer },
  }),
  listUploads: forViewers('get', '/api/v1/hosts/{id}/uploads', {
    summary: 'Uploads of a host and their states, newest first',
    params: hostParams,
    query: pageQuery,
    responses: { 200: page(z.array(uploadSchema), 'The uploads.') },
  }),
};
