import type { Operations } from '@plimsoll/contract';
import type { Handler } from '../http/operation-request.ts';
import { scriptAnswer } from '../scripts/script-answer.ts';

/** GET /agent/script */
export const getAgentScript: Handler<Operations['getAgentScript']> = async (_request, { scripts }) =>
  scriptAnswer('plimsoll-agent', scripts.agent);
