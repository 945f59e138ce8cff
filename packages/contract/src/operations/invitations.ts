import { z } from 'zod';
import { id } from '../field-types.ts';
import { empty, json, jsonBody, operationsFor } from '../operation.ts';
import {
  acceptInvitationSchema,
  invitationSchema,
  issuedInvitationSchema,
  newInvitationSchema,
  signedInSchema,
} from '../user.ts';

const { forAdmins } = operationsFor('users');

/** Operations on invitations of users. */
export const invitationOperations = {
  listInvitations: forAdmins('get', '/api/v1/users/invitations', {
    summary: 'Open invitations, by e-mail address',
    responses: { 200: json(z.array(invitationSchema), 'The invitations, without their tokens.') },
  }),
  createInvitation: forAdmins('post', '/api/v1/users/invitations', {
    summary: 'Invite a user, who chooses the password; replaces an earlier invitation of the same address',
    recent: true,
    body: jsonBody(newInvitationSchema),
    responses: { 201: json(issuedInvitationSchema, 'Invited; the token is shown this once.') },
    errors: ['conflict'],
    audit: ['invitation.created'],
  }),
  revokeInvitation: forAdmins('delete', '/api/v1/users/invitations/{id}', {
    summary: 'Revoke an invitation',
    recent: true,
    params: z.strictObject({ id }),
    responses: { 204: empty('Revoked: its token is void.') },
    audit: ['invitation.revoked'],
  }),
  acceptInvitation: operationsFor('auth').forEveryone('post', '/api/v1/auth/accept-invitation', {
    summary: 'Become a user by an invitation',
    body: jsonBody(acceptInvitationSchema),
    responses: { 201: { ...json(signedInSchema, 'Created and signed in.'), headers: ['Set-Cookie'] } },
    errors: ['forbidden', 'not_found', 'conflict', 'rate_limited'],
    audit: ['invitation.accepted', 'user.logged_in'],
  }),
};
