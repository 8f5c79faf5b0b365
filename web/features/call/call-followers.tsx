import { Link } from '@tanstack/react-router';
import {
  FOLLOWER_DELAY_MINUTES,
  FOLLOWER_STAKE_USD,
  FOLLOWER_STAKES_USD,
  MARK_WINDOW_MS,
  MINUTE_MS,
} from '#schema/constants.ts';
import type { CallDetail } from '#schema/contracts/calls.ts';
import { followerReturn, followerReturns } from '#schema/rules/calls/follower-return.ts';
import { formatUsd } from '#schema/rules/text/format.ts';
import { hasEnded } from '#web/lib/calls/ended-call.ts';
import { Card } from '#web/ui/lists/card.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';
import { useNow } from '#web/ui/figures/use-now.ts';

/** Returns of an ended call for followers, who buy and sell some minutes after the caller. */
export function CallFollowers({ call }: { call: CallDetail }) {
  if (!hasEnded(call)) return null;
  const rows = followerReturns(call.marks);
  const hasFigures = rows.some(({ percents }) => percents.some((percent) => percent !== null));
  return (
    <Card
      title="Follower Return"
      description={<Headline call={call} />}
      isFlush={hasFigures}
      className="mt-4"
    >
      {hasFigures ? (
        <Table label="Follower Return by delay and stake">
          <TableHead>
            <TableHeaderCell>Bought and sold</TableHeaderCell>
            {FOLLOWER_STAKES_USD.map((stake) => (
              <TableHeaderCell key={stake} isNumeric>
                {formatUsd(stake)}
              </TableHeaderCell>
            ))}
          </TableHead>
          <tbody>
            {rows.map(({ delayMinutes, percents }) => (
              <TableRow key={delayMinutes} className="h-11">
                <TableCell isRowHeader>{delayMinutes} min later</TableCell>
                {percents.map((percent, index) => (
                  <TableCell key={FOLLOWER_STAKES_USD[index]} isNumeric>
                    <Change percent={percent} />
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </tbody>
        </Table>
      ) : (
        <MissingFigures endedAt={Date.parse(call.endTimestamp)} />
      )}
    </Card>
  );
}

function Headline({ call }: { call: CallDetail }) {
  const percent = followerReturn(call.marks);
  return (
    <>
      {percent !== null && (
        <>
          Caller <Change percent={call.changePercent} /> · follower <Change percent={percent} /> (
          {FOLLOWER_DELAY_MINUTES} min later, {formatUsd(FOLLOWER_STAKE_USD)}).{' '}
        </>
      )}
      <Link
        to="/how-we-count"
        hash="follower-return"
        className="underline decoration-line-strong underline-offset-4 hover:decoration-current"
      >
        How we count
      </Link>
    </>
  );
}

function MissingFigures({ endedAt }: { endedAt: number }) {
  const isPending = useNow() < endedAt + FOLLOWER_DELAY_MINUTES * MINUTE_MS + MARK_WINDOW_MS;
  return (
    <p className="text-sm text-text-muted">
      {isPending
        ? 'The first figure appears about two minutes after the end.'
        : 'No figure: we have no price with known liquidity from shortly after this call was made and shortly after it ended.'}
    </p>
  );
}
