import { z } from 'zod';
import { id } from '../field-types.ts';
import { empty, json, operationsFor, page } from '../operation.ts';
import { vexImportQuerySchema, vexImportSchema, vexQuerySchema } from '../vex.ts';
import {
  newWaiverSchema,
  waiverChangesSchema,
  waiverPreviewSchema,
  waiverSchema,
  waiversQuerySchema,
} from '../waiver.ts';

const { forViewers, forOperators } = operationsFor('waivers');

const params = z.strictObject({ id });
/** A waiver may name many hosts and advisories. */
const limitBytes = 256 * 1024;
/** A VEX document. */
const vexLimitBytes = 8 * 1024 * 1024;

/** Decisions that findings are not to be acted on. */
export const waiverOperations = {
  listWaivers: forViewers('get', '/api/v1/waivers', {
    summary: 'Waivers that apply to hosts that exist for the caller, or did; newest first',
    heavy: true,
    query: waiversQuerySchema,
    responses: { 200: page(z.array(waiverSchema), 'The waivers.') },
  }),
  getWaiver: forViewers('get', '/api/v1/waivers/{id}', {
    summary: 'One waiver',
    heavy: true,
    params,
    responses: { 200: json(waiverSchema, 'The waiver.') },
  }),
  createWaiver: forOperators('post', '/api/v1/waivers', {
    summary: 'Accept a risk: what the waiver covers counts apart until it ends',
    heavy: true,
    body: { kind: 'json', schema: newWaiverSchema, limitBytes },
    responses: {
      201: json(waiverSchema, 'The waiver. Its hosts are counted again within seconds.'),
      200: json(waiverPreviewSchema, 'What it would concern (`check_only`).'),
    },
    errors: ['conflict'],
    audit: ['waiver.created'],
  }),
  importWaivers: forOperators('post', '/api/v1/waivers/import', {
    summary: 'Waivers from a VEX document: OpenVEX, CycloneDX or CSAF',
    heavy: true,
    query: vexImportQuerySchema,
    body: { kind: 'json', schema: z.record(z.string(), z.unknown()), limitBytes: vexLimitBytes },
    responses: {
      201: json(
        vexImportSchema,
        'Created, all or none. Statements that became no waiver are listed with their reasons.',
      ),
      200: json(vexImportSchema, 'What would be created (`check_only`), or nothing was.'),
    },
    errors: ['conflict'],
    audit: ['waiver.created'],
  }),
  getFleetVex: forViewers('get', '/api/v1/vex', {
    summary:
      'What packages of approved hosts are under their open vulnerabilities, with the waivers, as a VEX document',
    heavy: true,
    query: vexQuerySchema,
    readAudit: 'data.exported',
    compressed: true,
    responses: {
      200: {
        description:
          'OpenVEX 0.2.0, CycloneDX 1.6 or CSAF 2.0. An accepted or snoozed risk stays affected. What is not named was not found: see Plimsoll-Gaps and Plimsoll-Unknown-Hosts.',
        json: z.record(z.string(), z.unknown()),
        otherTypes: [],
        headers: ['Plimsoll-Gaps', 'Plimsoll-Unknown-Hosts', 'Content-Disposition'],
      },
    },
    errors: ['not_found', 'conflict'],
  }),
  updateWaiver: forOperators('patch', '/api/v1/waivers/{id}', {
    summary: 'Change the reason, ticket or end of a waiver',
    heavy: true,
    params,
    body: { kind: 'json', schema: waiverChangesSchema, limitBytes },
    responses: { 200: json(waiverSchema, 'The waiver after the change.') },
    errors: ['conflict'],
    audit: ['waiver.updated'],
  }),
  endWaiver: forOperators('delete', '/api/v1/waivers/{id}', {
    summary: 'End a waiver now; it stays in the list',
    params,
    responses: { 204: empty('It has ended.') },
    audit: ['waiver.ended'],
  }),
};
