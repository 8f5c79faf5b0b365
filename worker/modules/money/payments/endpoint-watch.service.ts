import { ENDPOINT_ALARM_MS } from '#schema/constants.ts';
import type { Base } from '../../../app/base.ts';
import type { Chain } from '../../../ports/chain.ts';
import type { EndpointOutagesRepository } from './endpoint-outages.repository.ts';

export interface EndpointWatchOptions extends Pick<Base, 'alarm' | 'clock'> {
  readonly chain: Pick<Chain, 'endpointStates'>;
  readonly outages: EndpointOutagesRepository;
}

/**
 * Raises one alarm for each outage of an RPC endpoint. Without the alarm, nobody would notice the outage,
 * because payments still work with the other endpoint.
 */
export function createEndpointWatchService({ chain, outages, clock, alarm }: EndpointWatchOptions) {
  return {
    /** Returns the endpoints that fail; null if all work. */
    async watch(): Promise<{ failing: string[] } | null> {
      const [states, known] = await Promise.all([chain.endpointStates(), outages.listEndpoints()]);
      const now = clock.now();
      for (const { endpoint, failure } of states) {
        if (failure === null) {
          const wasAlarmed = known.includes(endpoint) && (await outages.noteRecovery(endpoint));
          if (wasAlarmed) console.log(JSON.stringify({ event: 'chain.endpoint_recovered', endpoint }));
          continue;
        }
        const since = await outages.noteFailure({ endpoint, now, alarmSince: now - ENDPOINT_ALARM_MS });
        if (since === null) continue;
        const details = { endpoint, since: new Date(since).toISOString(), failure };
        await alarm({ kind: 'chain.endpoint_down', details });
      }
      const failing = states.flatMap(({ endpoint, failure }) => (failure === null ? [] : [endpoint]));
      return failing.length === 0 ? null : { failing };
    },
  };
}
