import { scriptAnswer } from '../../scripts/script-answer.ts';
import type { Handler } from '../operation-request.ts';

/** GET /hosts/manual/script */
export const getCollectorScript: Handler<'getCollectorScript'> = async ({ query }, { scripts }) =>
  scriptAnswer(`collector-${query.os_family}.sh`, scripts.collectors[query.os_family]);
