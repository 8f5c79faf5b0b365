import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
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
const source = (file: string, name: string, value: number): Source => ({ file, name, value });

/** Estimated shares: nothing counts them yet. */
const FACTS_PER_CALL = 8;
const ENDS_BY_THEMSELVES = 0.1;
const LEVELS_PER_CALL = 1;
/** An opening, an update, an end and its marks. */
const ENTRIES_PER_CALL = 4;

export const CEILINGS: readonly Ceiling[] = [
  {
    what: 'Telegram messages of one bot',
    limit: 25 * 60,
    use: ({ messages }) => peak(messages),
    source: source('schema/constants/messages.ts', 'MESSAGES_PER_SECOND', 25),
  },
  {
    what: 'calls that end by themselves',
    limit: 20,
    use: ({ calls }) => peak(calls * ENDS_BY_THEMSELVES),
    source: source(`${CALLS}/automatic-ends.service.ts`, 'MAX_QUOTES_PER_RUN', 20),
  },
  {
    what: 'follower results',
    limit: 1_000,
    use: ({ calls }) => peak(calls),
    source: source(`${CALLS}/follower-results.service.ts`, 'RECORDS_PER_RUN', 1_000),
  },
  {
    what: 'tokens with a reached target or stop',
    limit: 1_000,
    use: ({ calls }) => peak(calls * LEVELS_PER_CALL),
    source: source(`${CALLS}/call-levels.service.ts`, 'MAX_LEVEL_CHECKS_PER_RUN', 1_000),
  },
  {
    what: 'facts handed to the senders',
    limit: 10_000,
    use: ({ calls }) => peak(calls * FACTS_PER_CALL),
    source: source('worker/modules/messages/facts/messages-writer.ts', 'MAX_FACTS_PER_RUN', 10_000),
  },
  {
    what: 'tokens refreshed by one run',
    limit: 160 * 50,
    use: ({ tokens }) => tokens,
    source: source('worker/modules/market/prices/price-refresh.service.ts', 'MAX_BATCHES_PER_RUN', 160),
  },
  {
    what: 'log entries that one run adds to checkpoints',
    limit: 40 * 512,
    use: ({ calls }) => peak(calls * ENTRIES_PER_CALL),
    source: source('worker/modules/log/sequencer.service.ts', 'CHECKPOINTS_PER_RUN', 40),
  },
  {
    what: 'open dashboards',
    limit: 8 * 8_000,
    use: ({ dashboardMinutes }) => peak(dashboardMinutes),
    source: 'eight hubs of 8,000 pages ([058](decisions/058-live.md)), estimated',
  },
  {
    what: 'tokens at Jupiter, with one request a second',
    limit: 45 * 50,
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
