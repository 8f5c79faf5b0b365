import { type PriceSourceName } from '#schema/constants/prices.ts';
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

interface SourceEntry {
  readonly baseUrl: (vars: SourceVars) => string;
  readonly create: (options: SourceOptions & { readonly baseUrl: string }) => PriceSource;
}

/** The price sources. `PRICE_SOURCES` decides the order in which they are requested. */
const SOURCES: Readonly<Record<PriceSourceName, SourceEntry>> = {
  jupiter: {
    baseUrl: (vars) => vars.JUPITER_URL,
    create: ({ vars, baseUrl, attempts, clock, metrics }) => {
      const perMinute = Math.round((vars.JUPITER_REQUESTS_PER_SECOND * MINUTE_MS) / SECOND_MS);
      const budget = createSharedBudget({ source: 'jupiter', perMinute, attempts, clock });
      return createJupiter({ baseUrl, apiKey: vars.JUPITER_API_KEY, perMinute, budget, clock, metrics });
    },
  },
  dexscreener: {
    baseUrl: (vars) => vars.DEXSCREENER_URL,
    create: ({ baseUrl, clock, metrics }) => createDexscreener({ baseUrl, clock, metrics }),
  },
};

export const createPriceSources = (options: SourceOptions): PriceSource[] =>
  Object.values(SOURCES).map(({ baseUrl, create }) => create({ ...options, baseUrl: baseUrl(options.vars) }));

export const priceSourceOrigins = (vars: SourceVars): string[] =>
  Object.values(SOURCES).map(({ baseUrl }) => new URL(baseUrl(vars)).origin);
