import { AppError } from '@plimsoll/model';
import { scriptAnswer } from '../../scripts/script-answer.ts';
import type { Handler } from '../operation-request.ts';

/** GET /collectors/{sha256} */
export const getCollector: Handler<'getCollector'> = async ({ params }, { stores, scripts }) => {
  const sha256 = params.sha256.toLowerCase();
  const found =
    sha256 === scripts.collector.sha256
      ? scripts.collector
      : await stores.collectors.find(Buffer.from(sha256, 'hex'));
  if (found === null) throw new AppError('not_found', 'This installation has no collector with this hash.');
  return scriptAnswer(`collector-${sha256.slice(0, 12)}.sh`, found.script);
};
