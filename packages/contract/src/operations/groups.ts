import { z } from 'zod';
import { id } from '../field-types.ts';
import { groupChangesSchema, groupSchema, newGroupSchema } from '../group.ts';
import { empty, json, jsonBody, operationsFor, restingOnKev } from '../operation.ts';

const { forViewers } = operationsFor('groups');

const groupParams = z.strictObject({ id });

/** Operations on groups: saved selections of hosts. */
export const groupOperations = {
  listGroups: forViewers('get', '/api/v1/groups', {
    summary:
      "One's own groups and the shared ones, by name, with numbers of the reader's hosts; for an API key the shared ones",
    heavy: true,
    responses: { 200: restingOnKev(json(z.array(groupSchema), 'The groups.')) },
  }),
  createGroup: forViewers('post', '/api/v1/groups', {
    summary:
      'Save a selection of hosts as a group; sharing it is for operators, and API keys make shared ones only',
    body: jsonBody(newGroupSchema),
    responses: { 201: json(groupSchema.pick({ id: true }), 'The id of the group.') },
    errors: ['conflict', 'forbidden'],
    audit: ['group.created'],
  }),
  updateGroup: forViewers('patch', '/api/v1/groups/{id}', {
    summary: "Change a group: one's own, for an admin also shared ones of others",
    params: groupParams,
    body: jsonBody(groupChangesSchema),
    responses: { 200: json(groupSchema.pick({ id: true }), 'It is changed.') },
    errors: ['conflict', 'forbidden'],
    audit: ['group.updated'],
  }),
  deleteGroup: forViewers('delete', '/api/v1/groups/{id}', {
    summary: "Delete a group, not its hosts: one's own, for an admin also shared ones of others",
    params: groupParams,
    responses: { 204: empty('It is deleted.') },
    errors: ['forbidden'],
    audit: ['group.deleted'],
  }),
};
