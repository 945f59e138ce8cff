import { scriptAnswer } from '../../scripts/script-answer.ts';
import type { Handler } from '../operation-request.ts';

/** GET /agent/script */
export const getAgentScript: Handler<'getAgentScript'> = async (_request, { scripts }) =>
  scriptAnswer('plimsoll-agent', scripts.agent);
