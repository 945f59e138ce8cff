import { z } from 'zod';
import {
  advisoryDetailSchema,
  advisoryId,
  advisoryQuerySchema,
  advisorySchema,
  affectedHostQuerySchema,
  affectedHostSchema,
  cveDetailSchema,
  cveId,
} from '../advisory.ts';
import { defineOperation, json, page } from '../operation.ts';
import { packageHostSchema, packageHostsQuerySchema } from '../package-hosts.ts';

const advisoryParams = z.strictObject({ id: advisoryId });

/** Operations on what advisories say, and which hosts have what; hosts that are not approved are in none of them. */
export const advisoryOperations = {
  listAdvisories: defineOperation({
    method: 'get',
    path: '/api/v1/advisories',
    summary: 'Advisories of every feed, newest first',
    tag: 'advisories',
    auth: 'user',
    role: 'viewer',
    query: advisoryQuerySchema,
    responses: { 200: page(z.array(advisorySchema), 'The advisories.') },
  }),
  getAdvisory: defineOperation({
    method: 'get',
    path: '/api/v1/advisories/{id}',
    summary: "What feeds say under a vendor's id",
    tag: 'advisories',
    auth: 'user',
    role: 'viewer',
    params: advisoryParams,
    responses: { 200: json(advisoryDetailSchema, 'The advisory.') },
  }),
  listAffectedHosts: defineOperation({
    method: 'get',
    path: '/api/v1/advisories/{id}/hosts',
    summary: 'Hosts on which an advisory is a finding, fixed or not, by display name',
    tag: 'advisories',
    auth: 'user',
    role: 'viewer',
    params: advisoryParams,
    query: affectedHostQuerySchema,
    responses: { 200: page(z.array(affectedHostSchema), 'The hosts.') },
  }),
  getCve: defineOperation({
    method: 'get',
    path: '/api/v1/cves/{id}',
    summary: 'A CVE with the advisories about it',
    tag: 'advisories',
    auth: 'user',
    role: 'viewer',
    params: z.strictObject({ id: cveId }),
    responses: { 200: json(cveDetailSchema, 'The CVE.') },
  }),
  listPackageHosts: defineOperation({
    method: 'get',
    path: '/api/v1/packages',
    summary: 'Hosts that have a package, by display name',
    tag: 'packages',
    auth: 'user',
    role: 'viewer',
    query: packageHostsQuerySchema,
    responses: { 200: page(z.array(packageHostSchema), 'The hosts.') },
  }),
};
