import { z } from 'zod';
import { changesQuerySchema, hostChangesBetweenSchema } from '../changes.ts';
import { disagreementSchema } from '../disagreement.ts';
import { explanationQuerySchema, explanationSchema } from '../explanation.ts';
import { exposureQuerySchema, exposureSchema } from '../exposure.ts';
import { id, text } from '../field-types.ts';
import { kernelPostureSchema } from '../kernel-posture.ts';
import { ofHost, ofHostAt, operationsFor, pageOfHistory, pageOfHost, restingOnKev } from '../operation.ts';
import {
  installedPackageSchema,
  installedQuerySchema,
  upgradablePackageSchema,
  upgradableQuerySchema,
  vulnerablePackageSchema,
  vulnerableQuerySchema,
} from '../package.ts';
import { cycloneDxType, sbomSchema } from '../sbom.ts';
import { upgradePlanSchema } from '../upgrade-plan.ts';
import { vexFormatNames } from '../vex.ts';

const { forViewers } = operationsFor('packages');

const hostParams = z.strictObject({ id });

/** Operations on a host's installed packages and findings. */
export const packageOperations = {
  listVulnerablePackages: forViewers('get', '/api/v1/hosts/{id}/packages/vulnerable', {
    summary: 'Installed packages with open advisories, most severe first',
    heavy: true,
    params: hostParams,
    query: vulnerableQuerySchema,
    responses: { 200: restingOnKev(ofHostAt(z.array(vulnerablePackageSchema), 'The findings.')) },
    errors: ['no_snapshot'],
  }),
  listUpgradablePackages: forViewers('get', '/api/v1/hosts/{id}/packages/upgradable', {
    summary: "Updates that the host's package manager offers",
    heavy: true,
    params: hostParams,
    query: upgradableQuerySchema,
    responses: { 200: ofHost(z.array(upgradablePackageSchema), 'The updates, by name.') },
  }),
  listPackages: forViewers('get', '/api/v1/hosts/{id}/packages', {
    summary: 'All installed packages; with limit a page of them',
    heavy: true,
    params: hostParams,
    query: installedQuerySchema,
    responses: { 200: pageOfHost(z.array(installedPackageSchema), 'The packages, by name.') },
  }),
  getKernelPosture: forViewers('get', '/api/v1/hosts/{id}/kernel-posture', {
    summary: 'Which kernel runs, and whether a reboot or restart is due',
    heavy: true,
    params: hostParams,
    responses: { 200: ofHost(kernelPostureSchema, 'The posture.') },
  }),
  getHostChanges: forViewers('get', '/api/v1/hosts/{id}/changes', {
    summary: 'Packages and findings that appeared or disappeared on a host between two times',
    heavy: true,
    params: hostParams,
    query: changesQuerySchema,
    responses: { 200: restingOnKev(ofHost(hostChangesBetweenSchema, 'The changes.')) },
    errors: ['no_snapshot'],
  }),
  listHostExposures: forViewers('get', '/api/v1/hosts/{id}/exposures', {
    summary: 'From when to when a host was exposed to what, newest first',
    heavy: true,
    params: hostParams,
    query: exposureQuerySchema,
    responses: { 200: pageOfHistory(z.array(exposureSchema), 'The exposures.') },
  }),
  getUpgradePlan: forViewers('get', '/api/v1/hosts/{id}/plan', {
    summary: 'What one upgrade of a host would do, and the command lines for it',
    heavy: true,
    params: hostParams,
    readAudit: 'data.exported',
    compressed: true,
    responses: { 200: restingOnKev(ofHost(upgradePlanSchema, 'The plan.')) },
  }),
  getHostSbom: forViewers('get', '/api/v1/hosts/{id}/sbom', {
    summary: 'The packages of a host with their open vulnerabilities, as CycloneDX 1.6',
    heavy: true,
    params: hostParams,
    readAudit: 'data.exported',
    compressed: true,
    responses: {
      200: {
        description: 'The SBOM; its metadata have the gaps of the host.',
        json: sbomSchema,
        otherTypes: [cycloneDxType],
        headers: ['Plimsoll-Gaps', 'Content-Disposition'],
      },
    },
    errors: ['no_snapshot'],
  }),
  getHostVex: forViewers('get', '/api/v1/hosts/{id}/vex', {
    summary:
      'What the packages of a host are under its open vulnerabilities, with the waivers, as a VEX document',
    heavy: true,
    params: hostParams,
    query: z.strictObject({ format: z.enum(vexFormatNames) }),
    readAudit: 'data.exported',
    compressed: true,
    responses: {
      200: {
        description:
          'OpenVEX 0.2.0, CycloneDX 1.6 (the SBOM) or CSAF 2.0. An accepted or snoozed risk stays affected. What is not named was not found: see Plimsoll-Gaps.',
        json: z.record(z.string(), z.unknown()),
        otherTypes: [],
        headers: ['Plimsoll-Gaps', 'Content-Disposition'],
      },
    },
    errors: ['no_snapshot', 'conflict'],
  }),
  explainPackage: forViewers('get', '/api/v1/hosts/{id}/packages/{name}/explain', {
    summary: 'Why an advisory is a finding on a package of a host, or why not',
    heavy: true,
    params: z.strictObject({ id, name: text(1, 256) }),
    query: explanationQuerySchema,
    responses: { 200: ofHost(explanationSchema, 'The explanation.') },
  }),
  listDisagreements: forViewers('get', '/api/v1/hosts/{id}/disagreements', {
    summary: "Updates on which a host's package manager and its findings do not agree",
    heavy: true,
    params: hostParams,
    responses: { 200: ofHost(z.array(disagreementSchema), 'The disagreements, by name.') },
  }),
};
