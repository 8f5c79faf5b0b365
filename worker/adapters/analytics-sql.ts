import { z } from 'zod';
import { HOUR_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { MetricsQuery, MetricsReader } from '../ports/metrics.ts';
import { PortUnavailableError } from '../ports/unavailable.ts';
import { fetchJson } from './fetch-json.ts';

const MAX_ROWS = 5_000;

export interface AnalyticsSqlOptions {
  readonly apiUrl: string;
  readonly accountId: string | undefined;
  readonly token: string | undefined;
  readonly dataset: string;
}

// 64-bit integers arrive as strings.
const responseSchema = z.object({
  data: z.array(
    z.object({
      at: z.coerce.number().transform((seconds) => seconds * SECOND_MS),
      name: z.string(),
      outcome: z.string(),
      value: z.coerce.number(),
    }),
  ),
});

export function createAnalyticsSql(options: AnalyticsSqlOptions): MetricsReader {
  const { apiUrl, accountId, token, dataset } = options;
  const settings = { ANALYTICS_ACCOUNT_ID: accountId, ANALYTICS_API_TOKEN: token };
  return {
    missing: Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [name] : [])),

    async read(query) {
      const url = `${apiUrl}/client/v4/accounts/${accountId}/analytics_engine/sql`;
      const headers = { Authorization: `Bearer ${token}` };
      try {
        const response = await fetchJson(url, { method: 'POST', headers, body: writeSql(dataset, query) });
        return responseSchema.parse(response).data;
      } catch (error) {
        throw new PortUnavailableError('analytics', error);
      }
    },
  };
}

/** A row represents `_sample_interval` points (Cloudflare's sampling), and each point `double2` values (ours). */
const WEIGHT = '_sample_interval * double2';

const FIGURES: Readonly<Record<MetricsQuery['figure'], string>> = {
  points: `SUM(${WEIGHT})`,
  sum: 'SUM(_sample_interval * double1)',
  max: 'MAX(double1)',
  p99: `quantileExactWeighted(0.99)(double1, toUInt32(${WEIGHT}))`,
};

/** Not escaped: all parts come from our own code, never from a request. */
function writeSql(dataset: string, { kind, outcome, figure, spanMs, stepMs }: MetricsQuery): string {
  const step = stepMs / SECOND_MS;
  return `
    SELECT
      intDiv(toUInt32(timestamp), ${step}) * ${step} AS at,
      blob2 AS name,
      blob3 AS outcome,
      ${FIGURES[figure]} AS value
    FROM ${dataset}
    WHERE index1 = '${kind}'
      ${outcome === undefined ? '' : `AND blob3 = '${outcome}'`}
      AND timestamp > NOW() - INTERVAL '${spanMs / HOUR_MS}' HOUR
    GROUP BY at, name, outcome
    ORDER BY at
    LIMIT ${MAX_ROWS}
    FORMAT JSON`;
}
