import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { CALCULATOR_STAKE_USD } from '#schema/constants/market.ts';
import type { CallerProfile, CallerResults } from '#schema/contracts/callers.ts';
import { calculate, type Calculation } from '#schema/rules/calls/calculator.ts';
import { describeOpenCalls } from '#schema/rules/calls/open-calls.ts';
import { profileSlug } from '#schema/rules/people/person-name.ts';
import { formatChange, formatUsd, pluralize } from '#schema/rules/text/format.ts';
import { formatGain } from '#schema/rules/text/gains.ts';
import { readStake } from '#web/lib/money/amount-per-call.tsx';
import { formatDay, UTC } from '#web/lib/text/dates.ts';
import { Gain } from '#web/lib/money/gain.tsx';
import { LineChart } from '#web/ui/charts/line-chart.tsx';
import { firstDay, readDay, StakeFields } from './stake-fields.tsx';

export interface CalculatorProps {
  caller: CallerProfile;
  results: CallerResults;
  now: number;
}

export function Calculator({ caller, results, now }: CalculatorProps) {
  const first = useMemo(() => firstDay(results.calls), [results]);
  const [amount, setAmount] = useState(String(CALCULATOR_STAKE_USD));
  const [day, setDay] = useState(first);
  const stakeUsd = readStake(amount);
  const since = readDay(day, { first, now });
  return (
    <>
      <StakeFields
        amount={amount}
        onAmountChange={setAmount}
        day={day}
        onDayChange={setDay}
        first={first}
        now={now}
      />
      {stakeUsd !== null && since !== null && (
        <Result results={results} now={now} stakeUsd={stakeUsd} since={since} />
      )}
      <p className="mt-3 text-sm">
        <Link
          to="/compare"
          search={{ callers: profileSlug(caller), amount, since: day }}
          className="underline underline-offset-4"
        >
          Compare with other callers
        </Link>
      </p>
    </>
  );
}

interface ResultProps extends Omit<CalculatorProps, 'caller'> {
  stakeUsd: number;
  since: number;
}

function Result({ results, now, stakeUsd, since }: ResultProps) {
  const isFree = results.fees.every(({ monthlyFee }) => monthlyFee === null);
  const result = useMemo(
    () => calculate({ callers: [results], stakeUsd, since, until: now }),
    [results, stakeUsd, since, now],
  );
  const lines = toLines(result, { since, now });
  const { calls, callsWithoutResult, feesUsd, netUsd, neededUsd, solUsd } = result;
  if (calls === 0) {
    return (
      <p className="mt-4 text-sm text-text-muted">
        No call since then has a result.
        {feesUsd > 0 && ` The fees would have been ${formatUsd(feesUsd)}.`}
      </p>
    );
  }
  return (
    <>
      <p className="mt-4 max-w-prose text-lg" aria-live="polite">
        With {formatUsd(stakeUsd)} per call since {formatDay(since, UTC)}:{' '}
        <strong>
          <Gain usd={netUsd} />
        </strong>
        {isFree ? '' : `, ${formatUsd(feesUsd)} in fees included`}. It needed at most{' '}
        {formatUsd(Math.ceil(neededUsd))} at one time
        {neededUsd > 0 && `, so that’s ${formatChange((netUsd / neededUsd) * 100)}`}. Holding SOL instead:{' '}
        <span className="figures">{formatGain(solUsd)}</span>.
      </p>
      <div className="mt-4">
        <LineChart
          label={`Gains and fees with ${formatUsd(stakeUsd)} per call`}
          points={lines.net}
          compared={{ names: ['Following', 'Holding SOL instead'], points: lines.sol }}
          isStepped
          baseline={0}
          formatValue={formatGain}
        />
      </div>
      <dl className="mt-4 grid grid-cols-2 gap-x-6 gap-y-2 text-sm sm:grid-cols-4">
        {[
          ['Largest drop', formatUsd(result.largestDropUsd)],
          ['Calls at once', `at most ${result.mostAtOnce}`],
          ['Invested', formatShare(result.investedShare)],
          ['Before fees', isFree ? 'Free caller' : formatGain(result.gainUsd)],
        ].map(([label, value]) => (
          <div key={label}>
            <dt className="text-text-muted">{label}</dt>
            <dd className="figures">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm text-text-muted">
        {pluralize(calls, 'ranked call')}, each bought and sold one minute late, with 0.3% per swap and the
        price impact of the amount.{' '}
        {!isFree &&
          'The fee of each time is paid every 30 days at the price of SOL at that time, so the line starts with a fee. '}
        {callsWithoutResult > 0 && `${pluralize(callsWithoutResult, 'call')} left out: there is no price. `}
        {describeOpenCalls(results.openCalls)} Open calls don’t count.
      </p>
    </>
  );
}

const formatShare = (share: number) => `${Math.round(share * 100)}% of the time`;

function toLines(
  { points, netUsd, solUsd }: Calculation,
  { since, now }: Pick<ResultProps, 'since' | 'now'>,
) {
  const all = [{ at: since, netUsd: 0, solUsd: 0 }, ...points, { at: now, netUsd, solUsd }].map(
    ({ at, ...values }) => ({ at: new Date(at).toISOString(), ...values }),
  );
  return {
    net: all.map(({ at, netUsd: value }) => ({ at, value })),
    sol: all.map(({ at, solUsd: value }) => ({ at, value })),
  };
}
