import { z } from 'zod';
import {
  advisoryDetailSchema,
  advisoryId,
  advisoryQuerySchema,
  advisorySchema,
  affectedHostExportQuerySchema,
  affectedHostQuerySchema,
  affectedHostSchema,
  unjudgedHostSchema,
} from '../advisory.ts';
import {
  cveDetailSchema,
  cveHostsExportQuerySchema,
  cveHostsQuerySchema,
  cveHostsSchema,
  cveId,
  cveLookupAnswerSchema,
  cveLookupSchema,
  cveProgressSchema,
} from '../cve.ts';
import { exposureQuerySchema, exposureSchema } from '../exposure.ts';
import { paging } from '../field-types.ts';
import { csv, json, jsonBody, operationsFor, page, pageOfFleetHistory, restingOnKev } from '../operation.ts';
import {
  packageHostSchema,
  packageHostsExportQuerySchema,
  packageHostsQuerySchema,
  packageNameSchema,
  packageNamesQuerySchema,
} from '../package-hosts.ts';

const advisories = operationsFor('advisories');
const packages = operationsFor('packages');

const advisoryParams = z.strictObject({ id: advisoryId });
const cveParams = z.strictObject({ id: cveId });

/** Operations on advisories and affected hosts; hosts that are not approved are excluded everywhere. */
export const advisoryOperations = {
  listAdvisories: advisories.forViewers('get', '/api/v1/advisories', {
    summary: 'Advisories of every feed, newest first',
    heavy: true,
    query: advisoryQuerySchema,
    responses: { 200: restingOnKev(page(z.array(advisorySchema), 'The advisories.')) },
  }),
  getAdvisory: advisories.forViewers('get', '/api/v1/advisories/{id}', {
    summary: "What feeds say under a vendor's id",
    heavy: true,
    params: advisoryParams,
    responses: { 200: restingOnKev(json(advisoryDetailSchema, 'The advisory.')) },
  }),
  listAffectedHosts: advisories.forViewers('get', '/api/v1/advisories/{id}/hosts', {
    summary: 'Hosts on which an advisory is a finding, fixed or not, by display name',
    heavy: true,
    params: advisoryParams,
    query: affectedHostQuerySchema,
    responses: { 200: page(z.array(affectedHostSchema), 'The hosts.') },
  }),
  exportAffectedHosts: advisories.forViewers('get', '/api/v1/advisories/{id}/hosts.csv', {
    summary: 'The same hosts as a table for spreadsheets, without formulas',
    heavy: true,
    params: advisoryParams,
    query: affectedHostExportQuerySchema,
    readAudit: 'data.exported',
    compressed: true,
    responses: {
      200: {
        ...csv(
          'One line per package of a host. The file is named “incomplete” if there are hosts of which it is not known whether they are affected.',
        ),
        headers: ['Content-Disposition', 'Plimsoll-Unknown-Hosts'],
      },
    },
  }),
  listUnjudgedHosts: advisories.forViewers('get', '/api/v1/advisories/{id}/unknown-hosts', {
    summary:
      'The hosts of `unknown_hosts`: an advisory could affect them, and they cannot be judged; by display name',
    heavy: true,
    params: advisoryParams,
    query: z.strictObject(paging),
    responses: { 200: page(z.array(unjudgedHostSchema), 'The hosts.') },
  }),
  getCve: advisories.forViewers('get', '/api/v1/cves/{id}', {
    summary:
      'A CVE with the advisories about it; one that is not known here names the feeds that could know it',
    heavy: true,
    params: cveParams,
    responses: { 200: restingOnKev(json(cveDetailSchema, 'The CVE.')) },
  }),
  listCveHosts: advisories.forViewers('get', '/api/v1/cves/{id}/hosts', {
    summary: 'Every approved host under a CVE: affected, fixed, not affected or unknown, by display name',
    heavy: true,
    params: cveParams,
    query: cveHostsQuerySchema,
    responses: { 200: page(cveHostsSchema, 'The hosts, with the totals of all of them.') },
  }),
  listCveExposures: advisories.forViewers('get', '/api/v1/cves/{id}/exposures', {
    summary: 'From when to when approved hosts were exposed to a CVE, newest first',
    heavy: true,
    params: cveParams,
    query: exposureQuerySchema,
    responses: { 200: pageOfFleetHistory(z.array(exposureSchema), 'The exposures.') },
  }),
  getCveProgress: advisories.forViewers('get', '/api/v1/cves/{id}/progress', {
    summary: 'How many approved hosts were exposed to a CVE since its publication, from their exposures',
    heavy: true,
    params: cveParams,
    responses: { 200: json(cveProgressSchema, 'The numbers over time.') },
  }),
  exportCveHosts: advisories.forViewers('get', '/api/v1/cves/{id}/hosts.csv', {
    summary: 'The same hosts as a table for spreadsheets, without formulas',
    heavy: true,
    params: cveParams,
    query: cveHostsExportQuerySchema,
    readAudit: 'data.exported',
    compressed: true,
    responses: { 200: csv('One line per host and package; hosts without one have a line too.') },
  }),
  lookupCves: advisories.forViewers('post', '/api/v1/cves/lookup', {
    summary: 'How many hosts are in each state under each CVE of a list or a text',
    heavy: true,
    body: { ...jsonBody(cveLookupSchema), limitBytes: 2 * 1024 * 1024 },
    responses: { 200: restingOnKev(json(cveLookupAnswerSchema, 'The totals of each CVE found.')) },
    unaudited: 'It changes nothing: the list of CVEs is too long for an address.',
  }),
  listPackageNames: packages.forViewers('get', '/api/v1/package-names', {
    summary: 'Names of installed packages for a search box: exact match first, then prefixes, then the rest',
    heavy: true,
    query: packageNamesQuerySchema,
    responses: { 200: json(z.array(packageNameSchema), 'The names; within each kind the most hosts first.') },
  }),
  exportPackageHosts: packages.forViewers('get', '/api/v1/packages.csv', {
    summary: 'The same hosts as a table for spreadsheets, without formulas',
    heavy: true,
    query: packageHostsExportQuerySchema,
    readAudit: 'data.exported',
    compressed: true,
    responses: {
      200: csv(
        'One line per installed package of a host, then one without a package for each host without a report.',
      ),
    },
  }),
  listPackageHosts: packages.forViewers('get', '/api/v1/packages', {
    summary: 'Hosts that have a package, by display name',
    heavy: true,
    query: packageHostsQuerySchema,
    responses: {
      200: {
        ...page(z.array(packageHostSchema), 'The hosts.'),
        headers: [
          'Link',
          'X-Total-Count',
          'Plimsoll-Epochs',
          'Plimsoll-Not-Comparable',
          'Plimsoll-Not-Reported',
        ],
      },
    },
  }),
};
