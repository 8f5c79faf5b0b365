import { LOG_CHECKPOINT_MAX_ENTRIES } from '#schema/constants/log.ts';
import { PRICE_BATCH_SIZE } from '#schema/constants/prices.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { MAX_RUNS_PER_MINUTE } from '#worker/jobs/every-minute.cron.ts';
import { PEAK, useOf, VISITORS, type Use } from './cost-model.ts';

// Computes the table of docs/SCALE.md with the order in which limits are reached.

const MINUTES = (30 * DAY_MS) / MINUTE_MS;
/** In a minute of the busiest hour. */
const peak = (amount: number) => (amount * PEAK) / MINUTES;

/** A constant of the product, from which a limit follows. */
export interface Source {
  readonly file: string;
  readonly name: string;
  readonly value: number;
}

export interface Ceiling {
  readonly what: string;
  readonly limit: number;
  readonly use: (use: Use) => number;
  readonly source: Source | string;
}

const CALLS = 'worker/modules/market/calls';

/** The limit is the constant's value, times `each`. */
const constant = ({ each = 1, ...source }: Source & { each?: number }) => ({
  limit: source.value * each,
  source,
});

/** Estimated shares: nothing counts them yet. */
const FACTS_PER_CALL = 8;
const ENDS_BY_THEMSELVES = 0.1;
const LEVELS_PER_CALL = 1;
/** An opening, an update, an end and its marks. */
const ENTRIES_PER_CALL = 4;

export const CEILINGS: readonly Ceiling[] = [
  {
    what: 'Telegram messages of one bot',
    use: ({ messages }) => peak(messages),
    ...constant({ file: 'schema/constants/messages.ts', name: 'MESSAGES_PER_SECOND', value: 25, each: 60 }),
  },
  {
    what: 'calls that end by themselves, with a confirmed price',
    use: ({ calls }) => peak(calls * ENDS_BY_THEMSELVES),
    ...constant({
      file: `${CALLS}/automatic-ends.service.ts`,
      name: 'MAX_CONFIRMED_ENDS_PER_RUN',
      value: 50,
      each: MAX_RUNS_PER_MINUTE,
    }),
  },
  {
    what: 'follower results',
    use: ({ calls }) => peak(calls),
    ...constant({ file: `${CALLS}/follower-results.service.ts`, name: 'RECORDS_PER_RUN', value: 1_000 }),
  },
  {
    what: 'tokens with a reached target or stop',
    use: ({ calls }) => peak(calls * LEVELS_PER_CALL),
    ...constant({ file: `${CALLS}/call-levels.service.ts`, name: 'MAX_LEVEL_CHECKS_PER_RUN', value: 1_000 }),
  },
  {
    what: 'facts handed to the senders',
    use: ({ calls }) => peak(calls * FACTS_PER_CALL),
    ...constant({
      file: 'worker/modules/messages/facts/messages-writer.ts',
      name: 'MAX_FACTS_PER_RUN',
      value: 10_000,
    }),
  },
  {
    what: 'tokens refreshed by one run',
    use: ({ tokens }) => tokens,
    ...constant({
      file: 'worker/modules/market/prices/price-refresh.service.ts',
      name: 'MAX_BATCHES_PER_RUN',
      value: 160,
      each: PRICE_BATCH_SIZE,
    }),
  },
  {
    what: 'log entries that one run adds to checkpoints',
    use: ({ calls }) => peak(calls * ENTRIES_PER_CALL),
    ...constant({
      file: 'worker/modules/log/sequencer.service.ts',
      name: 'CHECKPOINTS_PER_RUN',
      value: 40,
      each: LOG_CHECKPOINT_MAX_ENTRIES,
    }),
  },
  {
    what: 'open dashboards',
    limit: 8 * 8_000,
    use: ({ dashboardMinutes }) => peak(dashboardMinutes),
    source: 'eight hubs of 8,000 pages ([058](decisions/058-live.md)), estimated',
  },
  {
    what: 'tokens at Jupiter, with one request a second',
    limit: 45 * PRICE_BATCH_SIZE,
    use: ({ tokens }) => tokens,
    source: 'a plan of Jupiter; a quarter is for single prices ([022](decisions/022-price-sources.md))',
  },
  {
    what: 'queries of one database',
    limit: 60_000,
    use: ({ queries }) => peak(queries),
    source: 'D1 runs one at a time; 1 ms each is Cloudflare’s own example',
  },
  {
    what: 'GB of one database after a year',
    limit: 10,
    use: ({ gigabytes }) => gigabytes,
    source: 'D1’s limits',
  },
];

/** Visitors per month at which the limit is reached. */
export function visitorsAt({ limit, use }: Pick<Ceiling, 'limit' | 'use'>): number {
  let [low, high] = [1, 1e12];
  while (high / low > 1.0001) {
    const middle = Math.sqrt(low * high);
    if (use(useOf(middle)) < limit) low = middle;
    else high = middle;
  }
  return high;
}

/** Numbers with two significant digits. */
const short = (value: number) =>
  Number(value.toPrecision(2)).toLocaleString('en-US', { maximumFractionDigits: 2 });

/** The limits in the order in which they are reached. */
export function renderCeilings(): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = line([
    'in a minute of the busiest hour',
    'limit',
    ...VISITORS.map((count) => count.toLocaleString('en-US')),
    'reached at',
    'from',
  ]);
  const rows = CEILINGS.map((ceiling) => ({ ceiling, visitors: visitorsAt(ceiling) }))
    .toSorted((one, other) => one.visitors - other.visitors)
    .map(({ ceiling: { what, limit, use, source }, visitors }) =>
      line([
        what,
        limit.toLocaleString('en-US'),
        ...VISITORS.map((count) => short(use(useOf(count)))),
        short(visitors),
        typeof source === 'string' ? source : `\`${source.name}\``,
      ]),
    );
  return [head, `|${'---|'.repeat(VISITORS.length + 4)}`, ...rows].join('\n');
}
