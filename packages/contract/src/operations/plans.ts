import { z } from 'zod';
import { csvType } from '../csv.ts';
import { id } from '../field-types.ts';
import { defineOperation, empty, json } from '../operation.ts';
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

/** A selection may name many hosts. */
const limitBytes = 128 * 1024;
const params = z.strictObject({ id });

const planFiles = {
  otherTypes: [shellType, yamlType, csvType],
  headers: ['Content-Disposition', 'Plimsoll-Exploited-Data'],
} as const;

/** Plans for several hosts. */
export const planOperations = {
  makePlan: defineOperation({
    method: 'post',
    path: '/api/v1/plans',
    summary: 'What one upgrade of several hosts would do: as JSON, shell script, Ansible playbook or CSV',
    tag: 'plans',
    auth: 'user',
    role: 'viewer',
    heavy: true,
    query: planFormatSchema,
    body: { kind: 'json', schema: planRequestSchema, limitBytes },
    readAudit: 'data.exported',
    compressed: true,
    unaudited: 'It changes nothing: the selection of hosts is too long for an address.',
    responses: { 200: { description: 'The plan.', json: planSchema, ...planFiles } },
  }),
  listSavedPlans: defineOperation({
    method: 'get',
    path: '/api/v1/saved-plans',
    summary: 'Saved plans with at least one host that exists for the caller, newest first',
    tag: 'plans',
    auth: 'user',
    role: 'viewer',
    responses: { 200: json(z.array(savedPlanSchema), 'The saved plans.') },
  }),
  savePlan: defineOperation({
    method: 'post',
    path: '/api/v1/saved-plans',
    summary: 'Make a plan and save it, with its content as of now',
    tag: 'plans',
    auth: 'user',
    role: 'operator',
    heavy: true,
    body: { kind: 'json', schema: newSavedPlanSchema, limitBytes },
    responses: { 201: json(savedPlanSchema, 'The saved plan.') },
    errors: ['conflict'],
    audit: ['plan.saved'],
  }),
  getSavedPlan: defineOperation({
    method: 'get',
    path: '/api/v1/saved-plans/{id}',
    summary: 'A saved plan as of the time it was made: as JSON, shell script, Ansible playbook or CSV',
    tag: 'plans',
    auth: 'user',
    role: 'viewer',
    heavy: true,
    params,
    query: planFormatSchema,
    readAudit: 'data.exported',
    compressed: true,
    responses: { 200: { description: 'The saved plan.', json: savedPlanDetailSchema, ...planFiles } },
  }),
  getPlanProgress: defineOperation({
    method: 'get',
    path: '/api/v1/saved-plans/{id}/progress',
    summary: 'What is done of a saved plan, what is still open and why, and who has not reported since',
    tag: 'plans',
    auth: 'user',
    role: 'viewer',
    heavy: true,
    params,
    responses: { 200: json(planProgressSchema, 'The progress.') },
  }),
  deleteSavedPlan: defineOperation({
    method: 'delete',
    path: '/api/v1/saved-plans/{id}',
    summary: 'Delete a saved plan',
    tag: 'plans',
    auth: 'user',
    role: 'operator',
    params,
    responses: { 204: empty('It is deleted.') },
    audit: ['plan.deleted'],
  }),
} as const;
