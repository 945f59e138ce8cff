import { z } from 'zod';
import {
  advisoryDetailSchema,
  advisoryId,
  advisoryQuerySchema,
  advisorySchema,
  affectedHostExportQuerySchema,
  affectedHostQuerySchema,
  affectedHostSchema,
  cveDetailSchema,
  cveId,
} from '../advisory.ts';
import { csv, defineOperation, json, page } from '../operation.ts';
import {
  packageHostSchema,
  packageHostsQuerySchema,
  packageNameSchema,
  packageNamesQuerySchema,
} from '../package-hosts.ts';

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
  exportAffectedHosts: defineOperation({
    method: 'get',
    path: '/api/v1/advisories/{id}/hosts.csv',
    summary: 'The same hosts as a table for spreadsheets, without formulas',
    tag: 'advisories',
    auth: 'user',
    role: 'viewer',
    params: advisoryParams,
    query: affectedHostExportQuerySchema,
    responses: { 200: csv('One line per package of a host.') },
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
  listPackageNames: defineOperation({
    method: 'get',
    path: '/api/v1/package-names',
    summary:
      'Names of installed packages for a search box: the very name, then what begins so, then the rest',
    tag: 'packages',
    auth: 'user',
    role: 'viewer',
    query: packageNamesQuerySchema,
    responses: { 200: json(z.array(packageNameSchema), 'The names; within each kind the most hosts first.') },
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
