import type { ErrorCode } from '@plimsoll/model';

/** The HTTP form of an error code. */
export interface ErrorStatus {
  readonly status: number;
  /** What the code means, the same for every occurrence (RFC 9457 `title`). */
  readonly title: string;
  /** Whether the same request may succeed later without any change. */
  readonly retryable: boolean;
}

/** The only table from error codes to HTTP. */
export const errorStatuses: Readonly<Record<ErrorCode, ErrorStatus>> = {
  bad_request: { status: 400, title: 'The request is malformed', retryable: false },
  invalid_json: { status: 400, title: 'The body is not JSON', retryable: false },
  invalid_protobuf: { status: 400, title: 'The body is not a whole protobuf message', retryable: false },
  unauthenticated: { status: 401, title: 'A valid credential is needed', retryable: false },
  invalid_credentials: { status: 401, title: 'E-mail, password or second factor is wrong', retryable: false },
  invalid_registration_token: { status: 401, title: 'The registration token is not valid', retryable: false },
  forbidden: { status: 403, title: 'The role does not allow this', retryable: false },
  second_factor_required: { status: 403, title: 'A second factor has to be set up first', retryable: false },
  reauthentication_required: { status: 403, title: 'The user has to prove itself again', retryable: false },
  not_found: { status: 404, title: 'Not found', retryable: false },
  no_snapshot: { status: 404, title: 'The host has no snapshot yet', retryable: false },
  setup_complete: { status: 404, title: 'The setup is complete', retryable: false },
  method_not_allowed: { status: 405, title: 'The method is not allowed here', retryable: false },
  conflict: { status: 409, title: 'The request conflicts with the present state', retryable: false },
  not_an_ssh_host: { status: 409, title: 'The host is not reached over ssh', retryable: false },
  not_approved: { status: 409, title: 'The host is not approved', retryable: false },
  host_retired: { status: 409, title: 'The host is retired', retryable: false },
  payload_too_large: { status: 413, title: 'The body is too large', retryable: false },
  unsupported_media_type: {
    status: 415,
    title: 'The content type or encoding is not supported',
    retryable: false,
  },
  machine_id_mismatch: { status: 409, title: 'The report is of another machine', retryable: false },
  report_outdated: { status: 409, title: 'The report is older than the current snapshot', retryable: false },
  validation_failed: { status: 422, title: 'The request breaks a rule', retryable: false },
  report_invalid: { status: 422, title: 'The report cannot be read', retryable: false },
  snapshot_invalid: { status: 422, title: 'The snapshot breaks a rule', retryable: false },
  rate_limited: { status: 429, title: 'Too many requests', retryable: true },
  unavailable: { status: 503, title: 'The service is not available right now', retryable: true },
  internal: { status: 500, title: 'The service failed', retryable: true },
};
