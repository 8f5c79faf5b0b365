import { MINUTE_MS } from '#schema/constants/time.ts';
import type { Base } from '../../../app/base.ts';
import { createJobsRepository, ENDPOINTS } from './jobs.repository.ts';

const ENDPOINT_ALARM_MS = 5 * MINUTE_MS;

type EndpointWatchOptions = Pick<Base, 'db' | 'alarm' | 'chain' | 'clock'>;

/**
 * Stores failing RPC endpoints, and raises one alarm for each outage. Without the alarm, nobody would notice the
 * outage, because payments still work with the other endpoint.
 */
export function createEndpointWatchService({ db, chain, clock, alarm }: EndpointWatchOptions) {
  const jobs = createJobsRepository(db);
  return {
    async watch(): Promise<{ failing: string[] } | null> {
      const states = await chain.endpointStates();
      const now = clock.now();
      const failed = states.flatMap(({ endpoint, failure }) =>
        failure === null ? [] : [{ job: `${ENDPOINTS}${endpoint}`, at: now, error: failure }],
      );
      const working = states.flatMap(({ endpoint, failure }) =>
        failure === null ? [`${ENDPOINTS}${endpoint}`] : [],
      );
      await jobs.record({ failed, working });
      if (failed.length === 0) return null;
      const overdue = await jobs.takeEndpointAlarms({ now, since: now - ENDPOINT_ALARM_MS });
      for (const { job, since, error: failure } of overdue) {
        const endpoint = job.slice(ENDPOINTS.length);
        const details = { endpoint, since: new Date(since).toISOString(), failure };
        await alarm({ kind: 'chain.endpoint_down', details });
      }
      return { failing: failed.map(({ job }) => job) };
    },
  };
}
