import { AppError } from '@plimsoll/model';

/** The error for an id without a channel that the caller may see. */
export function noChannel(): AppError {
  return new AppError('not_found', 'No channel has this id.');
}
