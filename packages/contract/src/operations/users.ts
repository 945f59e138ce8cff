import { z } from 'zod';
import { id, paging } from '../field-types.ts';
import { empty, json, jsonBody, operationsFor, page } from '../operation.ts';
import { newUserSchema, userAccountSchema, userChangesSchema } from '../user.ts';

const { forAdmins } = operationsFor('users');

const params = z.strictObject({ id });

/** Operations on users. */
export const userOperations = {
  listUsers: forAdmins('get', '/api/v1/users', {
    summary: 'Users, by e-mail address',
    query: z.strictObject(paging),
    responses: { 200: page(z.array(userAccountSchema), 'The users.') },
  }),
  createUser: forAdmins('post', '/api/v1/users', {
    summary: 'Create a user with a temporary password',
    recent: true,
    body: jsonBody(newUserSchema),
    responses: { 201: json(userAccountSchema, 'Created.') },
    errors: ['conflict', 'rate_limited'],
    audit: ['user.created'],
  }),
  updateUser: forAdmins('patch', '/api/v1/users/{id}', {
    summary: 'Change a user; a new role or password, and disabling, end all sessions of the user',
    recent: true,
    params,
    body: jsonBody(userChangesSchema),
    responses: { 200: json(userAccountSchema, 'The user as it is now.') },
    errors: ['conflict', 'rate_limited'],
    audit: ['user.updated'],
  }),
  deleteUser: forAdmins('delete', '/api/v1/users/{id}', {
    summary: 'Delete a user; entries in the audit log are kept',
    recent: true,
    params,
    responses: { 204: empty('Deleted; their tokens have ended.') },
    errors: ['conflict'],
    audit: ['user.deleted'],
  }),
  resetSecondFactor: forAdmins('delete', '/api/v1/users/{id}/second-factor', {
    summary: 'Remove every second factor of a user who lost them; ends all sessions of the user',
    recent: true,
    params,
    responses: {
      204: empty('The user has no second factor; the password alone signs in, or leads to setting one up.'),
    },
    audit: ['user.second_factor_reset'],
  }),
};
