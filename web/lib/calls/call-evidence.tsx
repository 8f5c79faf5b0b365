import { MARK_DELAY_MS, MINUTE_MS } from '#schema/constants.ts';
import type { CallQuote, PriceMark } from '#schema/contracts/calls.ts';
import { formatCount, formatUsd } from '#schema/rules/text/format.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { priceSourceName } from '#schema/rules/prices/price-source-names.ts';
import { formatTime } from '#web/lib/text/dates.ts';
import { ResponsiveSwitch } from '#web/lib/page/by-width.tsx';
import { Badge } from '#web/ui/people/badge.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { LocalTime } from '#web/ui/figures/local-time.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';

const sides = { open: 'Entry', end: 'End' } as const;
const failures = {
  unavailable: 'no response',
  absent: 'no price',
  invalid: 'invalid price',
} as const;

/** A quote at the entry or the end, or the price one minute later. */
type Evidence = Omit<CallQuote, 'source' | 'volume24hUsd' | 'poolCreatedAt'> &
  Pick<PriceMark, 'source'> & { readonly isMark?: true };

interface CallEvidenceProps {
  quotes: readonly CallQuote[];
  marks: readonly PriceMark[];
}

/**
 * The quotes of every source at the call's entry and end, and the prices for its follower result. A badge marks the
 * quotes whose price was recorded for the call.
 */
export function CallEvidence({ quotes, marks }: CallEvidenceProps) {
  if (quotes.length === 0) return null;
  const all = [...quotes, ...marks.map(asQuote)];
  return (
    <Card
      title="Evidence"
      description="Quotes from each price source when the call was made and ended, and the price a minute later"
      isFlush
      className="mt-4"
    >
      <ResponsiveSwitch wide={<EvidenceTable quotes={all} />} narrow={<EvidenceList quotes={all} />} />
    </Card>
  );
}

function asQuote({ seenAt, ...mark }: PriceMark): Evidence {
  const failure = mark.price === null ? 'absent' : null;
  return { ...mark, isMark: true, failure, isRecorded: false, quotedAt: seenAt, blockId: null };
}

function timeOf({ side, isMark }: Evidence): string {
  return isMark ? `${sides[side]} + ${MARK_DELAY_MS / MINUTE_MS} min` : sides[side];
}

function EvidenceTable({ quotes }: { quotes: readonly Evidence[] }) {
  return (
    <Table label="Evidence">
      <TableHead>
        <TableHeaderCell>Quote for</TableHeaderCell>
        <TableHeaderCell>Source</TableHeaderCell>
        <TableHeaderCell isNumeric>Price</TableHeaderCell>
        <TableHeaderCell>As of</TableHeaderCell>
        <TableHeaderCell isNumeric>Slot</TableHeaderCell>
        <TableHeaderCell isNumeric>Liquidity</TableHeaderCell>
      </TableHead>
      <tbody>
        {quotes.map((quote) => (
          <TableRow key={`${timeOf(quote)} ${quote.source}`}>
            <TableCell>{timeOf(quote)}</TableCell>
            <TableCell isRowHeader>
              <SourceName quote={quote} />
            </TableCell>
            <TableCell isNumeric>
              <QuotedPrice quote={quote} />
            </TableCell>
            <TableCell className="text-sm">
              <LocalTime at={quote.quotedAt} format={formatTime} />
            </TableCell>
            <TableCell isNumeric>{slotOf(quote)}</TableCell>
            <TableCell isNumeric>{liquidityOf(quote)}</TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function EvidenceList({ quotes }: { quotes: readonly Evidence[] }) {
  return (
    <ul aria-label="Evidence" className="divide-y divide-line">
      {quotes.map((quote) => (
        <li key={`${timeOf(quote)} ${quote.source}`} className="px-4 py-3 text-sm">
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 font-medium">
            <span>
              {timeOf(quote)}: <SourceName quote={quote} />
            </span>
            <QuotedPrice quote={quote} />
          </div>
          <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-xs [&>dd]:text-right [&>dt]:text-text-muted">
            <dt>As of</dt>
            <dd>
              <LocalTime at={quote.quotedAt} format={formatTime} />
            </dd>
            <dt>Slot</dt>
            <dd className="figures">{slotOf(quote)}</dd>
            <dt>Liquidity</dt>
            <dd className="figures">{liquidityOf(quote)}</dd>
          </dl>
        </li>
      ))}
    </ul>
  );
}

function SourceName({ quote: { source, isRecorded } }: { quote: Evidence }) {
  return (
    <span className="inline-flex items-center gap-2">
      {source === null ? 'All sources' : priceSourceName(source)}
      {isRecorded && (
        <Badge tone="accent" size="sm">
          Recorded
        </Badge>
      )}
    </span>
  );
}

function QuotedPrice({ quote: { price, failure } }: { quote: Evidence }) {
  if (price !== null) return <Price value={price} format={formatPrice} />;
  return <span className="font-normal text-text-muted">{failure === null ? '–' : failures[failure]}</span>;
}

function slotOf({ blockId }: Evidence): string {
  return blockId === null ? '–' : formatCount(blockId);
}

function liquidityOf({ liquidityUsd }: Evidence): string {
  return liquidityUsd === null ? '–' : formatUsd(liquidityUsd);
}
