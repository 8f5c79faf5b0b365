import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { PriceSource } from '../ports/price-source.ts';
import type { Attempts } from '../shared/attempts.ts';
import { createDexscreener } from './dexscreener.ts';
import { createJupiter } from './jupiter.ts';
import { createSharedBudget } from './shared-budget.ts';

interface SourceVars {
  readonly DEXSCREENER_URL: string;
  readonly JUPITER_URL: string;
  readonly JUPITER_API_KEY?: string | undefined;
  readonly JUPITER_REQUESTS_PER_SECOND: number;
}

interface SourceOptions {
  readonly vars: SourceVars;
  readonly attempts: Pick<Attempts, 'take'>;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** The price sources, in the order in which they are requested. */
export function createPriceSources({ vars, attempts, clock, metrics }: SourceOptions): PriceSource[] {
  const perMinute = Math.round((vars.JUPITER_REQUESTS_PER_SECOND * MINUTE_MS) / SECOND_MS);
  const budget = createSharedBudget({ source: 'jupiter', perMinute, attempts, clock });
  const { JUPITER_URL: baseUrl, JUPITER_API_KEY: apiKey } = vars;
  return [
    createJupiter({ baseUrl, apiKey, perMinute, budget, clock, metrics }),
    createDexscreener({ baseUrl: vars.DEXSCREENER_URL, clock, metrics }),
  ];
}

export const priceSourceOrigins = (vars: SourceVars): string[] =>
  [vars.JUPITER_URL, vars.DEXSCREENER_URL].map((url) => new URL(url).origin);
