import type { UploadRow } from '@plimsoll/db';
import { AppError, errorCodes } from '@plimsoll/model';

/** The error with which an upload was rejected. */
export function rejectionOf({ errorCode, errors }: UploadRow): AppError {
  const code = errorCodes.find((known) => known === errorCode) ?? 'internal';
  return new AppError(code, 'The upload was rejected.', { errors: errors ?? [] });
}
