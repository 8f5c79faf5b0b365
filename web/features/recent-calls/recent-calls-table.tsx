import { memo } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { changeSinceEntry } from '#schema/rules/calls/change-percent.ts';
import { formatRecentCallPrice } from '#schema/rules/prices/format-prices.ts';
import { CallLine } from '#web/ui/charts/call-line.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { MarketCap } from '#web/ui/figures/market-cap.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';
import { CallCaller, CallToken } from './call-people.tsx';

export function RecentCallsTable({ calls }: { calls: readonly TokenCall[] }) {
  return (
    <Card isFlush>
      <Table label="Recent Calls" hasCards>
        <TableHead>
          <TableHeaderCell>Caller</TableHeaderCell>
          <TableHeaderCell>Token</TableHeaderCell>
          <TableHeaderCell isNumeric>Call Price</TableHeaderCell>
          <TableHeaderCell isNumeric>End Price</TableHeaderCell>
          <TableHeaderCell isNumeric>Change</TableHeaderCell>
          <TableHeaderCell isNumeric>Ended</TableHeaderCell>
        </TableHead>
        <tbody>
          {calls.map((call) => (
            <CallRow key={call.id} call={call} />
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

const CallRow = memo(function CallRow({ call }: { call: TokenCall }) {
  return (
    <TableRow className="hover:bg-surface-hover">
      <TableCell className="md:max-w-36 lg:max-w-64">
        <CallCaller caller={call.caller} />
      </TableCell>
      <TableCell isRowHeader className="md:max-w-34 lg:max-w-52">
        <CallToken call={call} />
      </TableCell>
      <TableCell isNumeric label="Call">
        <Price value={call.entryPrice} format={formatRecentCallPrice} missing="N/A" />
        <MarketCap call={call} price={call.entryPrice} />
      </TableCell>
      <TableCell isNumeric label="End">
        <Price value={call.endPrice} format={formatRecentCallPrice} missing="N/A" />
        <MarketCap call={call} price={call.endPrice} />
      </TableCell>
      <TableCell isNumeric label="Change">
        <span className="inline-flex items-center gap-3 align-middle">
          <CallLine percent={changeSinceEntry(call)} className="max-lg:hidden" />
          <Change
            percent={changeSinceEntry(call)}
            zeroIs="loss"
            className="min-w-18 text-base font-semibold"
          />
        </span>
      </TableCell>
      <TableCell isNumeric className="text-text-muted">
        <RelativeTime at={call.endTimestamp} />
      </TableCell>
    </TableRow>
  );
});
