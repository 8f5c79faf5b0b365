import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { DEFAULT_CALLER_SORT } from '#schema/constants/market.ts';
import type { CallerSort } from '#schema/contracts/callers.ts';
import { afterFeeText } from '#schema/rules/calls/after-fee-text.ts';
import { provenProgress } from '#schema/rules/calls/ranking-texts.ts';
import {
  formatChange,
  formatCount,
  formatMonthlyFee,
  formatRate,
  pluralize,
} from '#schema/rules/text/format.ts';
import { keysOf } from '#schema/rules/typed-keys.ts';
import { shownHandle } from '#schema/rules/people/person-name.ts';
import { PersonAvatar } from '#web/lib/people/person-avatar.tsx';
import { Gain } from '#web/lib/money/gain.tsx';
import { SolUsd } from '#web/lib/money/sol-usd.tsx';
import { useStake } from '#web/lib/money/stake.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { Sparkline } from '#web/ui/charts/sparkline.tsx';
import { CallerLink } from '#web/ui/people/caller-link.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { ExplainProven } from '#web/ui/overlays/explain-proven.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { aboveCoveringLinkClassName, coveringLinkClassName } from '#web/ui/lists/covering-link.ts';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';
import { VerifiedMark } from '#web/ui/people/verified-mark.tsx';
import type { CallerCardsProps } from './caller-cards.tsx';
import { describeRecord, groupByProven, NOT_PROVEN_YET, runningReturn } from './caller-record.ts';
import { readDirectorySearch, sortLabels, type DirectorySearch, type ShownSort } from './directory-search.ts';
import { SubscribeButton, type SubscribeButtonProps } from './subscribe-button.tsx';

export interface CallersTableProps extends CallerCardsProps {
  search: DirectorySearch;
  onSearchChange: (search: DirectorySearch) => void;
}

const sortableColumns = keysOf(sortLabels);

export function CallersTable(props: CallersTableProps) {
  const { callers, search, onSearchChange, ...subscribing } = props;
  const sorted = search.sort ?? DEFAULT_CALLER_SORT;
  const order = search.order ?? 'desc';
  const sortBy = (sort: CallerSort) => {
    const next = sort === sorted && order === 'desc' ? 'asc' : 'desc';
    onSearchChange(readDirectorySearch({ ...search, sort, order: next }));
  };
  return (
    <Card isFlush>
      <Table label="Callers">
        <TableHead>
          <TableHeaderCell className="sticky-start">Caller</TableHeaderCell>
          {sortableColumns.map((column) => (
            <SortHeader
              key={column}
              column={column}
              order={column === sorted ? order : undefined}
              onSort={() => sortBy(column)}
            />
          ))}
          <TableHeaderCell className="pr-0 max-2xl:hidden">Last calls</TableHeaderCell>
          <TableHeaderCell className="sticky-end">
            <span className="sr-only">Subscribe</span>
          </TableHeaderCell>
        </TableHead>
        {groupByProven(callers, sorted).map(({ title, start, callers: listed }) => (
          <tbody key={title}>
            {title !== null && (
              <TableRow>
                <TableCell isRowHeader colSpan={sortableColumns.length + 3}>
                  {title}
                </TableCell>
              </TableRow>
            )}
            {listed.map((caller, index) => (
              <CallerRow
                key={caller.id}
                position={start + index + 1}
                hasRank={title !== NOT_PROVEN_YET}
                sort={sorted}
                caller={caller}
                {...subscribing}
              />
            ))}
          </tbody>
        ))}
      </Table>
    </Card>
  );
}

interface SortHeaderProps {
  column: ShownSort;
  order: 'asc' | 'desc' | undefined;
  onSort: () => void;
}

function SortHeader({ column, order, onSort }: SortHeaderProps) {
  return (
    <TableHeaderCell isNumeric isBare aria-sort={order && ARIA_SORT[order]}>
      <button
        type="button"
        onClick={onSort}
        className={classNames('h-11 px-3 text-right whitespace-normal hover:text-text', order && 'text-text')}
      >
        {sortLabels[column]}
        <span aria-hidden="true">{order && ARROW[order]}</span>
      </button>
      {column === 'proven' && <ExplainProven isIconOnly className="mr-3 -ml-1 align-middle" />}
    </TableHeaderCell>
  );
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;
const ARROW = { asc: ' ↑', desc: ' ↓' } as const;

interface CallerRowProps extends SubscribeButtonProps {
  position: number;
  /** False for callers below "Not proven yet". */
  hasRank: boolean;
  sort: CallerSort;
}

const CallerRow = memo(function CallerRow({ position, hasRank, sort, ...subscribing }: CallerRowProps) {
  const { caller } = subscribing;
  const { gainUsd, beside } = afterFeeText(caller.afterFee, useStake());
  const sample = <span className="note">of {formatCount(caller.rankedCalls)}</span>;
  return (
    <TableRow isLinked>
      <TableCell isRowHeader className="sticky-start">
        <div className="flex items-center gap-3">
          <span className="figures min-w-5 text-right text-xs text-text-muted max-sm:hidden">
            {hasRank ? position : '–'}
          </span>
          <PersonAvatar person={caller} size="sm" className="max-sm:hidden" />
          <div className="max-w-28 min-w-0 sm:max-w-40">
            <p className="flex items-center gap-1">
              <CallerLink caller={caller} className={`font-medium ${coveringLinkClassName}`} />
              {caller.isVerified && <VerifiedMark size={14} />}
            </p>
            <p className="truncate text-xs text-text-muted">{shownHandle(caller)}</p>
          </div>
        </div>
      </TableCell>
      <TableCell isNumeric>
        {gainUsd === null ? '–' : <Gain usd={gainUsd} />}
        <span className="note">{beside}</span>
        {sort === 'afterFee' && caller.afterFeePercent !== null && (
          <span className="note">{formatChange(caller.afterFeePercent)} in this order</span>
        )}
      </TableCell>
      <TableCell isNumeric>
        {formatMonthlyFee(caller.monthlyFee)}
        <SolUsd sol={caller.monthlyFee} />
      </TableCell>
      <TableCell isNumeric>
        {/** The sticky cell's link covers only that cell, so this link covers the rest of the row. */}
        <Link
          to="/caller/$username"
          params={{ username: caller.id }}
          tabIndex={-1}
          aria-hidden="true"
          className={coveringLinkClassName}
        />
        <Change percent={caller.avgReturn} className="font-medium" />
        {sample}
      </TableCell>
      <TableCell isNumeric>
        {formatRate(caller.winRate)}
        {sample}
      </TableCell>
      <TableCell isNumeric>
        <Change percent={caller.proven} />
        {caller.proven === null && <span className="note">{provenProgress(caller)}</span>}
      </TableCell>
      <TableCell isNumeric>
        <Change percent={caller.followerReturn} />
        <span className="note">of {formatCount(caller.followerCalls)}</span>
      </TableCell>
      <CountCells caller={caller} sort={sort} />
      <TableCell className="pr-0 max-2xl:hidden">
        <Sparkline values={runningReturn(caller.recentCalls)} label={describeRecord(caller.recentCalls)} />
      </TableCell>
      <TableCell className="sticky-end text-right">
        <span data-personal className={aboveCoveringLinkClassName}>
          <SubscribeButton {...subscribing} isStacked />
        </span>
      </TableCell>
    </TableRow>
  );
});

function CountCells({ caller, sort }: Pick<CallerRowProps, 'caller' | 'sort'>) {
  return (
    <>
      <TableCell isNumeric>
        {formatCount(caller.totalCalls)}
        {sort === 'totalCalls' && <span className="note">{formatCount(caller.rankedCalls)} ranked</span>}
      </TableCell>
      <TableCell isNumeric>
        {formatCount(caller.subscriberCount)}
        <span className="note">{pluralize(caller.followerCount, 'follower')}</span>
      </TableCell>
      <TableCell isNumeric className="text-text-muted">
        <RelativeTime at={caller.lastCallTimestamp} missing="–" />
        {sort === 'lastCall' && (
          <span className="note">
            ranked: <RelativeTime at={caller.lastRankedCallTimestamp} missing="–" />
          </span>
        )}
      </TableCell>
    </>
  );
}
