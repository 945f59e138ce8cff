import {
  duePolicySchema,
  exposureRulesSchema,
  newDuePolicySchema,
  newExposureRulesSchema,
} from '../due-date.ts';
import { defineOperation, json, jsonBody } from '../operation.ts';

/** Operations on the policies of the installation. */
export const policyOperations = {
  getDuePolicy: defineOperation({
    method: 'get',
    path: '/api/v1/policies/due-dates',
    summary: 'When findings are to be closed',
    tag: 'policies',
    auth: 'user',
    role: 'viewer',
    responses: { 200: json(duePolicySchema, 'The policy in force.') },
  }),
  setDuePolicy: defineOperation({
    method: 'put',
    path: '/api/v1/policies/due-dates',
    summary: 'Change when findings are to be closed; all hosts are counted again',
    tag: 'policies',
    auth: 'user',
    role: 'admin',
    recent: true,
    body: jsonBody(newDuePolicySchema),
    responses: { 200: json(duePolicySchema, 'The policy in force.') },
    audit: ['due_policy.changed'],
  }),
  getExposureRules: defineOperation({
    method: 'get',
    path: '/api/v1/policies/exposure',
    summary: 'Which hosts can be reached from the internet, by tag',
    tag: 'policies',
    auth: 'user',
    role: 'viewer',
    responses: { 200: json(exposureRulesSchema, 'The rules in force.') },
  }),
  setExposureRules: defineOperation({
    method: 'put',
    path: '/api/v1/policies/exposure',
    summary: 'Change the exposure of hosts by tag; what an operator set on a host takes precedence',
    tag: 'policies',
    auth: 'user',
    role: 'admin',
    recent: true,
    body: jsonBody(newExposureRulesSchema),
    responses: { 200: json(exposureRulesSchema, 'The rules in force.') },
    audit: ['exposure_rules.changed'],
  }),
};
