import { type ErrorCode, errorCodes } from '@plimsoll/model';
import { isPersonal, type Operation } from './operation.ts';

/** Every error code an operation can return, in the order of `errorCodes`. */
export function errorCodesOf(operation: Operation): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([
    ...operation.errors,
    ...authCodes(operation),
    ...bodyCodes(operation),
    'unavailable',
    'internal',
  ]);
  if (operation.heavy) codes.add('rate_limited');
  if (operation.params !== null) codes.add('not_found');
  if (operation.query !== null || operation.auth === 'user') codes.add('validation_failed');
  return errorCodes.filter((code) => codes.has(code));
}

function authCodes(operation: Operation): readonly ErrorCode[] {
  const { auth, role, recent, withoutFactor } = operation;
  switch (auth) {
    case 'none':
      return [];
    case 'setup':
      return ['setup_complete'];
    case 'host':
      return ['unauthenticated', 'host_retired'];
    case 'user':
      return [
        'unauthenticated',
        ...(role === 'viewer' && !isPersonal(operation) ? [] : (['forbidden'] as const)),
        ...(withoutFactor ? [] : (['second_factor_required'] as const)),
        ...(recent ? (['reauthentication_required'] as const) : []),
      ];
    default:
      return auth satisfies never;
  }
}

function bodyCodes({ body }: Operation): readonly ErrorCode[] {
  switch (body.kind) {
    case 'none':
      return [];
    case 'json':
      return [
        'bad_request',
        'invalid_json',
        'payload_too_large',
        'unsupported_media_type',
        'validation_failed',
      ];
    case 'bytes':
      return ['bad_request', 'payload_too_large', 'unsupported_media_type'];
    default:
      return body satisfies never;
  }
}
