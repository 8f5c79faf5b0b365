import { describe, expect, it } from 'vitest';
import { MAX_QUOTE_AGE_MS } from '#schema/constants.ts';
import { decideQuote, type QuoteRefusal, type SourceQuote } from './quotes.ts';

const NOW = 1_000_000_000;
const quote = (source: string, change: Partial<SourceQuote>): SourceQuote => ({ source, price: null, failure: null, quotedAt: NOW, blockId: null, liquidityUsd: null, ...change });

/** Everything a source may say. */
const said = {
  price: { price: '100' },
  near: { price: '103' },
  far: { price: '103.1' },
  stale: { price: '100', quotedAt: NOW - MAX_QUOTE_AGE_MS - 1 },
  down: { failure: 'unavailable' },
  absent: { failure: 'absent' },
  nonsense: { failure: 'invalid' },
} satisfies Record<string, Partial<SourceQuote>>;
type Said = keyof typeof said;
type Outcome = QuoteRefusal | 'first' | 'second';

/** Every combination: the first source says the row, the second the column. */
const table: Record<Said, Record<Said, Outcome>> = {
  price: { price: 'first', near: 'first', far: 'disagree', stale: 'first', down: 'first', absent: 'first', nonsense: 'disagree' },
  near: { price: 'first', near: 'first', far: 'first', stale: 'first', down: 'first', absent: 'first', nonsense: 'disagree' },
  far: { price: 'disagree', near: 'first', far: 'first', stale: 'first', down: 'first', absent: 'first', nonsense: 'disagree' },
  stale: { price: 'second', near: 'second', far: 'second', stale: 'stale', down: 'stale', absent: 'stale', nonsense: 'stale' },
  down: { price: 'second', near: 'second', far: 'second', stale: 'stale', down: 'unavailable', absent: 'missing', nonsense: 'missing' },
  absent: { price: 'second', near: 'second', far: 'second', stale: 'stale', down: 'missing', absent: 'missing', nonsense: 'missing' },
  nonsense: { price: 'disagree', near: 'disagree', far: 'disagree', stale: 'stale', down: 'missing', absent: 'missing', nonsense: 'missing' },
};

describe('decideQuote', () => {
  const rows = (Object.keys(said) as Said[]).flatMap((first) => (Object.keys(said) as Said[]).map((second) => [first, second, table[first][second]] as const));

  it.each(rows)('%s and %s: %s', (first, second, outcome) => {
    const decision = decideQuote([quote('first', said[first]), quote('second', said[second])], NOW);
    expect('recorded' in decision ? decision.recorded.source : decision.refusal).toBe(outcome);
  });

  it('takes a price that is exactly sixty seconds old, and none from no source', () => {
    expect(decideQuote([quote('first', { price: '1', quotedAt: NOW - MAX_QUOTE_AGE_MS })], NOW)).toMatchObject({ recorded: { source: 'first' } });
    expect(decideQuote([], NOW)).toEqual({ refusal: 'unavailable' });
  });
});
