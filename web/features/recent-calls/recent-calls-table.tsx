import { memo } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { formatRecentCallPrice } from '#schema/rules/format-prices.ts';
import { CallLine } from '#web/ui/charts/call-line.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { ChunkedTableBodies } from '#web/ui/lists/chunked-rows.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { MarketCap } from '#web/ui/figures/market-cap.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';
import { endedChange } from './call-change.ts';
import { CallCaller, callText, CallToken } from './call-people.tsx';

export interface RecentCallsTableProps {
  calls: readonly TokenCall[];
  /** True if the server has older calls. */
  hasMore: boolean;
  label?: string;
}

export function RecentCallsTable({ calls, hasMore, label = 'Recent Calls' }: RecentCallsTableProps) {
  return (
    <Card isFlush>
      <Table label={label} rowCount={hasMore ? -1 : calls.length + 1}>
        <TableHead>
          <TableHeaderCell>Caller</TableHeaderCell>
          <TableHeaderCell>Token</TableHeaderCell>
          <TableHeaderCell isNumeric>Call Price</TableHeaderCell>
          <TableHeaderCell isNumeric>End Price</TableHeaderCell>
          <TableHeaderCell isNumeric>Change</TableHeaderCell>
          <TableHeaderCell isNumeric>Ended</TableHeaderCell>
        </TableHead>
        <ChunkedTableBodies
          name={`${label}, table`}
          columns={6}
          rows={calls}
          renderRow={renderRow}
          textOf={callText}
          estimatedRowHeight={65}
        />
      </Table>
    </Card>
  );
}

const renderRow = (call: TokenCall, position: number) => (
  <CallRow key={call.id} call={call} position={position} />
);

/** The head is the first row. */
const CallRow = memo(function CallRow({ call, position }: { call: TokenCall; position: number }) {
  return (
    <TableRow aria-rowindex={position + 1} className="hover:bg-surface-hover">
      <TableCell className="max-w-36 lg:max-w-64">
        <CallCaller caller={call.caller} />
      </TableCell>
      <TableCell isRowHeader className="max-w-34 lg:max-w-52">
        <CallToken call={call} />
      </TableCell>
      <TableCell isNumeric>
        <Price value={call.entryPrice} format={formatRecentCallPrice} missing="N/A" />
        <MarketCap call={call} price={call.entryPrice} />
      </TableCell>
      <TableCell isNumeric>
        <Price value={call.endPrice} format={formatRecentCallPrice} missing="N/A" />
        <MarketCap call={call} price={call.endPrice} />
      </TableCell>
      <TableCell isNumeric>
        <span className="inline-flex items-center gap-3 align-middle">
          <CallLine percent={endedChange(call)} className="max-lg:hidden" />
          <Change percent={endedChange(call)} zeroIs="loss" className="min-w-18 text-base font-semibold" />
        </span>
      </TableCell>
      <TableCell isNumeric className="text-text-muted">
        <RelativeTime at={call.endTimestamp} />
      </TableCell>
    </TableRow>
  );
});
