import type { Handler } from '../operation-request.ts';

/** GET /agent/config */
export const getAgentConfig: Handler<'getAgentConfig'> = async (
  { caller },
  { stores, settings, scripts },
) => {
  await stores.uploads.touch(caller.hostId);
  return {
    kind: 'json',
    status: 200,
    body: {
      report_interval_seconds: settings.reportIntervalSeconds,
      newest_agent_version: scripts.agentVersion,
    },
  };
};
