import { z } from 'zod';
import { id, paging } from '../field-types.ts';
import {
  hostChangesSchema,
  hostDetailSchema,
  hostQuerySchema,
  hostSchema,
  newManualHostSchema,
} from '../host.ts';
import { defineOperation, empty, json, jsonBody, page } from '../operation.ts';
import { snapshotSchema, snapshotSummarySchema, uploadSchema } from '../snapshot.ts';

const hostParams = z.strictObject({ id });
const pageQuery = z.strictObject(paging);
const snapshotAnswer = {
  description: 'The snapshot; its raw protobuf alone where the client accepts that.',
  json: snapshotSchema,
  otherTypes: ['application/x-protobuf'],
  headers: [],
} as const;

/** Operations on hosts and what they sent. */
export const hostOperations = {
  listHosts: defineOperation({
    method: 'get',
    path: '/api/v1/hosts',
    summary: 'Hosts; without limit all of them as one array',
    tag: 'hosts',
    auth: 'user',
    role: 'viewer',
    query: hostQuerySchema,
    responses: { 200: page(z.array(hostSchema), 'The hosts.') },
  }),
  getHost: defineOperation({
    method: 'get',
    path: '/api/v1/hosts/{id}',
    summary: 'One host',
    tag: 'hosts',
    auth: 'user',
    role: 'viewer',
    params: hostParams,
    responses: { 200: json(hostDetailSchema, 'The host.') },
  }),
  createManualHost: defineOperation({
    method: 'post',
    path: '/api/v1/hosts/manual',
    summary: 'Add a host whose reports people bring',
    tag: 'hosts',
    auth: 'user',
    role: 'operator',
    body: jsonBody(newManualHostSchema),
    responses: { 201: json(hostSchema, 'The host, approved.') },
  }),
  updateHost: defineOperation({
    method: 'patch',
    path: '/api/v1/hosts/{id}',
    summary: 'Change what a host is called, how it is tagged or how it is pulled',
    tag: 'hosts',
    auth: 'user',
    role: 'operator',
    params: hostParams,
    body: jsonBody(hostChangesSchema),
    responses: { 200: json(hostSchema, 'The host as it is now.') },
    errors: ['not_an_ssh_host'],
  }),
  deleteHost: defineOperation({
    method: 'delete',
    path: '/api/v1/hosts/{id}',
    summary: 'Delete a host with everything of it',
    tag: 'hosts',
    auth: 'user',
    role: 'operator',
    params: hostParams,
    responses: { 204: empty('Nothing of it is left.') },
  }),
  approveHost: defineOperation({
    method: 'post',
    path: '/api/v1/hosts/{id}/approve',
    summary: 'Let a host count in the fleet; approving twice is approving once',
    tag: 'hosts',
    auth: 'user',
    role: 'operator',
    params: hostParams,
    responses: { 200: json(hostSchema, 'The host as it is now.') },
  }),
  getLatestSnapshot: defineOperation({
    method: 'get',
    path: '/api/v1/hosts/{id}/snapshot',
    summary: "A host's newest snapshot",
    tag: 'hosts',
    auth: 'user',
    role: 'viewer',
    params: hostParams,
    responses: { 200: snapshotAnswer },
    errors: ['no_snapshot'],
  }),
  listSnapshots: defineOperation({
    method: 'get',
    path: '/api/v1/hosts/{id}/snapshots',
    summary: "A host's snapshots without their payload, newest first",
    tag: 'hosts',
    auth: 'user',
    role: 'viewer',
    params: hostParams,
    query: pageQuery,
    responses: { 200: page(z.array(snapshotSummarySchema), 'The snapshots.') },
  }),
  getSnapshot: defineOperation({
    method: 'get',
    path: '/api/v1/hosts/{id}/snapshots/{snapshotId}',
    summary: "One of a host's snapshots",
    tag: 'hosts',
    auth: 'user',
    role: 'viewer',
    params: z.strictObject({ id, snapshotId: id }),
    responses: { 200: snapshotAnswer },
  }),
  listUploads: defineOperation({
    method: 'get',
    path: '/api/v1/hosts/{id}/uploads',
    summary: 'What a host sent and how far it got, newest first',
    tag: 'hosts',
    auth: 'user',
    role: 'viewer',
    params: hostParams,
    query: pageQuery,
    responses: { 200: page(z.array(uploadSchema), 'The uploads.') },
  }),
};
