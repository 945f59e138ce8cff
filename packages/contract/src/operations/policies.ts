import {
  duePolicySchema,
  duePreviewSchema,
  exposureRulesSchema,
  newDuePolicySchema,
  newExposureRulesSchema,
} from '../due-date.ts';
import { json, jsonBody, operationsFor } from '../operation.ts';
import { originPreviewSchema, originRulesSchema } from '../origin-rule.ts';
import { newTagRulesSchema, tagRulePreviewSchema, tagRulesSchema } from '../tag-rule.ts';

const { forViewers, forAdmins } = operationsFor('policies');

/** Operations on the policies of the installation. */
export const policyOperations = {
  getDuePolicy: forViewers('get', '/api/v1/policies/due-dates', {
    summary: 'When findings are to be closed',
    responses: { 200: json(duePolicySchema, 'The policy in force.') },
  }),
  setDuePolicy: forAdmins('put', '/api/v1/policies/due-dates', {
    summary: 'Change when findings are to be closed; all hosts are counted again',
    recent: true,
    body: jsonBody(newDuePolicySchema),
    responses: { 200: json(duePolicySchema, 'The policy in force.') },
    audit: ['due_policy.changed'],
  }),
  previewDuePolicy: forAdmins('post', '/api/v1/policies/due-dates/preview', {
    summary: 'What a policy of due dates would make overdue, without changing anything',
    heavy: true,
    body: jsonBody(newDuePolicySchema),
    unaudited: 'It changes nothing: rules are too long for an address.',
    responses: { 200: json(duePreviewSchema, 'The hosts and findings that would change.') },
  }),
  getExposureRules: forViewers('get', '/api/v1/policies/exposure', {
    summary: 'Which hosts can be reached from the internet, by tag',
    responses: { 200: json(exposureRulesSchema, 'The rules in force.') },
  }),
  setExposureRules: forAdmins('put', '/api/v1/policies/exposure', {
    summary: 'Change the exposure of hosts by tag; what an operator set on a host takes precedence',
    recent: true,
    body: jsonBody(newExposureRulesSchema),
    responses: { 200: json(exposureRulesSchema, 'The rules in force.') },
    audit: ['exposure_rules.changed'],
  }),
  getOriginRules: forViewers('get', '/api/v1/policies/origins', {
    summary: 'Which archives mirror a distribution',
    responses: {
      200: json(originRulesSchema, 'A reader who is limited to tags sees the rules for its own.'),
    },
  }),
  setOriginRules: forAdmins('put', '/api/v1/policies/origins', {
    summary: 'State which archives mirror a distribution; hosts with their packages are judged again',
    recent: true,
    body: jsonBody(originRulesSchema),
    responses: { 200: json(originRulesSchema, 'The rules in force. The hosts follow within minutes.') },
    audit: ['origin_rules.changed'],
  }),
  previewOriginRules: forAdmins('post', '/api/v1/policies/origins/preview', {
    summary: 'What such rules are about, without changing anything',
    heavy: true,
    body: jsonBody(originRulesSchema),
    unaudited: 'It changes nothing: rules are too long for an address.',
    responses: { 200: json(originPreviewSchema, 'What has such an origin, by rule.') },
  }),
  getTagRules: forViewers('get', '/api/v1/policies/tags', {
    summary: 'Which tags hosts get by name, system, address or registration token',
    responses: { 200: json(tagRulesSchema, 'The rules in force.') },
  }),
  setTagRules: forAdmins('put', '/api/v1/policies/tags', {
    summary: 'Change which tags hosts get by rules; tags that were set by hand stay',
    recent: true,
    body: jsonBody(newTagRulesSchema),
    responses: { 200: json(tagRulesSchema, 'The rules in force. All hosts follow within minutes.') },
    audit: ['tag_rules.changed'],
  }),
  previewTagRules: forAdmins('post', '/api/v1/policies/tags/preview', {
    summary: 'What rules that give tags would change, without changing anything',
    heavy: true,
    body: jsonBody(newTagRulesSchema),
    unaudited: 'It changes nothing: rules are too long for an address.',
    responses: { 200: json(tagRulePreviewSchema, 'The hosts that would change.') },
  }),
};
