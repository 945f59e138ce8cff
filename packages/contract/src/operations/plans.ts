import { z } from 'zod';
import { csvType } from '../csv.ts';
import { id } from '../field-types.ts';
import { empty, json, operationsFor } from '../operation.ts';
import {
  newSavedPlanSchema,
  planFormatSchema,
  planProgressSchema,
  planRequestSchema,
  planSchema,
  savedPlanDetailSchema,
  savedPlanSchema,
  shellType,
  yamlType,
} from '../plan.ts';

const { forViewers, forOperators } = operationsFor('plans');

/** A selection may name many hosts. */
const limitBytes = 128 * 1024;
const params = z.strictObject({ id });

const planFiles = {
  otherTypes: [shellType, yamlType, csvType],
  headers: ['Content-Disposition', 'Plimsoll-Exploited-Data'],
} as const;

/** Plans for several hosts. */
export const planOperations = {
  makePlan: forViewers('post', '/api/v1/plans', {
    summary: 'What one upgrade of several hosts would do: as JSON, shell script, Ansible playbook or CSV',
    heavy: true,
    query: planFormatSchema,
    body: { kind: 'json', schema: planRequestSchema, limitBytes },
    readAudit: 'data.exported',
    compressed: true,
    unaudited: 'It changes nothing: the selection of hosts is too long for an address.',
    responses: { 200: { description: 'The plan.', json: planSchema, ...planFiles } },
  }),
  listSavedPlans: forViewers('get', '/api/v1/saved-plans', {
    summary: 'Saved plans with at least one host that exists for the caller, newest first',
    responses: { 200: json(z.array(savedPlanSchema), 'The saved plans.') },
  }),
  savePlan: forOperators('post', '/api/v1/saved-plans', {
    summary: 'Make a plan and save it, with its content as of now',
    heavy: true,
    body: { kind: 'json', schema: newSavedPlanSchema, limitBytes },
    responses: { 201: json(savedPlanSchema, 'The saved plan.') },
    errors: ['conflict'],
    audit: ['plan.saved'],
  }),
  getSavedPlan: forViewers('get', '/api/v1/saved-plans/{id}', {
    summary: 'A saved plan as of the time it was made: as JSON, shell script, Ansible playbook or CSV',
    heavy: true,
    params,
    query: planFormatSchema,
    readAudit: 'data.exported',
    compressed: true,
    responses: { 200: { description: 'The saved plan.', json: savedPlanDetailSchema, ...planFiles } },
  }),
  getPlanProgress: forViewers('get', '/api/v1/saved-plans/{id}/progress', {
    summary: 'What is done of a saved plan, what is still open and why, and who has not reported since',
    heavy: true,
    params,
    responses: { 200: json(planProgressSchema, 'The progress.') },
  }),
  deleteSavedPlan: forOperators('delete', '/api/v1/saved-plans/{id}', {
    summary: 'Delete a saved plan',
    params,
    responses: { 204: empty('It is deleted.') },
    audit: ['plan.deleted'],
  }),
} as const;
