import { MARK_DELAY_MS } from '#schema/constants/market.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { CallQuote, PriceMark } from '#schema/contracts/calls.ts';
import { formatCount, formatUsd } from '#schema/rules/text/format.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { describeUnit } from '#schema/rules/prices/units.ts';
import { priceSourceName } from '#schema/rules/prices/price-source-names.ts';
import { formatTime } from '#web/lib/text/dates.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { LocalTime } from '#web/ui/figures/local-time.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';

const sides = { open: 'Entry', end: 'End' } as const;
const failures = {
  unavailable: 'no response',
  absent: 'no price',
  invalid: 'invalid price',
  undated: 'age unknown',
  rescaled: 'unit changed',
} as const;

type Evidence = Omit<CallQuote, 'source' | 'volume24hUsd' | 'poolCreatedAt' | 'multiplier'> &
  Pick<PriceMark, 'source'> & { readonly isMark?: true };

export interface CallEvidenceProps {
  quotes: readonly CallQuote[];
  marks: readonly PriceMark[];
}

/**
 * The quotes of every source at the call's entry and end, and the prices for its follower result. A badge marks the
 * quotes whose price was recorded for the call.
 */
export function CallEvidence({ quotes, marks }: CallEvidenceProps) {
  const unit = describeUnit(quotes.map(({ multiplier }) => multiplier));
  return (
    <>
      <Table label="Evidence">
        <TableHead>
          <TableHeaderCell>Quote</TableHeaderCell>
          <TableHeaderCell isNumeric>Price</TableHeaderCell>
        </TableHead>
        <tbody>
          {[...quotes, ...marks.map(asQuote)].map((quote) => (
            <TableRow key={`${timeOf(quote)} ${quote.source}`}>
              <TableCell isRowHeader>
                {timeOf(quote)}
                <SourceName quote={quote} />
                <LocalTime at={quote.quotedAt} format={formatTime} className="note" />
                {quote.blockId !== null && (
                  <span className="note figures">Slot {formatCount(quote.blockId)}</span>
                )}
              </TableCell>
              <TableCell isNumeric>
                {quote.price !== null && <Price value={quote.price} />}
                {quote.failure !== null && (
                  <span className="block font-normal text-text-muted">{failures[quote.failure]}</span>
                )}
                {quote.sentPrice !== null && (
                  <span className="note">Converted from {formatPrice(quote.sentPrice)}</span>
                )}
                {quote.liquidityUsd !== null && (
                  <span className="note">Liquidity {formatUsd(quote.liquidityUsd)}</span>
                )}
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
      {unit !== null && <p className="mt-3 text-sm text-text-muted">{unit}</p>}
    </>
  );
}

function asQuote({ seenAt, ...mark }: PriceMark): Evidence {
  const failure = mark.price === null ? 'absent' : null;
  const missing = { sentPrice: null, blockId: null };
  return { ...mark, ...missing, isMark: true, failure, isRecorded: false, quotedAt: seenAt };
}

function timeOf({ side, isMark }: Evidence): string {
  return isMark ? `${sides[side]} + ${MARK_DELAY_MS / MINUTE_MS} min` : sides[side];
}

function SourceName({ quote: { source, isRecorded } }: { quote: Evidence }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 font-normal text-text-muted">
      {source === null ? 'All sources' : priceSourceName(source)}
      {isRecorded && (
        <Badge tone="accent" size="sm">
          Recorded
        </Badge>
      )}
    </span>
  );
}
