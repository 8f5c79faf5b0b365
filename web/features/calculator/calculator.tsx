import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import type { CallerProfile, CallerResults } from '#schema/contracts/callers.ts';
import { calculate, type Calculation } from '#schema/rules/calls/calculator.ts';
import { firstDay } from '#schema/rules/calls/compare-results.ts';
import { toDay } from '#schema/rules/text/utc-day.ts';
import { describeOpenCalls } from '#schema/rules/calls/open-calls.ts';
import { profileSlug } from '#schema/rules/people/person-name.ts';
import { formatChange, formatUsd, pluralize } from '#schema/rules/text/format.ts';
import { formatGain } from '#schema/rules/text/gains.ts';
import { readStake } from '#web/lib/money/amount-per-call.tsx';
import { useStake } from '#web/lib/money/stake.tsx';
import { formatDay, UTC } from '#web/lib/text/dates.ts';
import { Gain } from '#web/lib/money/gain.tsx';
import { LineChart } from '#web/ui/charts/line-chart.tsx';
import { readDay, StakeFields } from './stake-fields.tsx';

export interface CalculatorProps {
  caller: CallerProfile;
  results: CallerResults;
  now: number;
}

export function Calculator({ caller, results, now }: CalculatorProps) {
  const first = useMemo(() => firstDay(results.calls) ?? toDay(now), [results, now]);
  const stake = useStake();
  const [typed, setAmount] = useState<string | null>(null);
  const amount = typed ?? String(stake);
  const [day, setDay] = useState(first);
  const stakeUsd = readStake(amount);
  const since = readDay(day, { first, now });
  const fields = (
    <StakeFields
      amount={amount}
      onAmountChange={setAmount}
      day={day}
      onDayChange={setDay}
      first={first}
      now={now}
    />
  );
  return (
    <>
      {stakeUsd !== null && since !== null ? (
        <Result results={results} now={now} stakeUsd={stakeUsd} since={since} fields={fields} />
      ) : (
        fields
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
  /** Below the curve, which is what visitors come for. */
  fields: ReactNode;
}

function Result({ results, now, stakeUsd, since, fields }: ResultProps) {
  const isFree = results.fees.every(({ monthlyFee }) => monthlyFee === null);
  const result = useMemo(
    () => calculate({ callers: [results], stakeUsd, since, until: now }),
    [results, stakeUsd, since, now],
  );
  const lines = toLines(result, { since, now });
  const { calls, callsWithoutResult, feesUsd, netUsd, neededUsd, solUsd } = result;
  if (calls === 0) {
    return (
      <>
        {fields}
        <p className="mt-4 text-sm text-text-muted">
          No call since then has a result.
          {feesUsd > 0 && ` The fees would have been ${formatUsd(feesUsd)}.`}
        </p>
      </>
    );
  }
  return (
    <div className="grid gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <LineChart
        label={`Gains and fees with ${formatUsd(stakeUsd)} per call`}
        points={lines.net}
        compared={{
          names: [`Following since ${formatDay(since, UTC)}`, 'Holding SOL instead'],
          points: lines.sol,
        }}
        isStepped
        baseline={0}
        formatValue={formatGain}
      />
      <div>
        {fields}
        <p className="mt-4 max-w-prose" aria-live="polite">
          With {formatUsd(stakeUsd)} per call since {formatDay(since, UTC)}:{' '}
          <strong>
            <Gain usd={netUsd} />
          </strong>
          {isFree ? '' : `, ${formatUsd(feesUsd)} in fees included`}. You would have needed up to{' '}
          {formatUsd(Math.ceil(neededUsd))}
          {neededUsd > 0 && `: a return of ${formatChange((netUsd / neededUsd) * 100)}`}. Holding SOL instead:{' '}
          <span className="figures">{formatGain(solUsd)}</span>.
        </p>
        <dl className="mt-4 grid grid-cols-2 gap-x-6 gap-y-2 text-sm">
          {[
            ['Largest drop', formatUsd(result.largestDropUsd)],
            ['Calls at once', `at most ${result.mostAtOnce}`],
            ['Invested', formatShare(result.investedShare)],
            ...(isFree ? [] : [['Before fees', formatGain(result.gainUsd)]]),
          ].map(([label, value]) => (
            <div key={label}>
              <dt className="text-text-muted">{label}</dt>
              <dd className="figures">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <p className="text-sm text-text-muted lg:col-span-2">
        {pluralize(calls, 'ranked call')}, each bought and sold one minute late, with 0.3% per swap and the
        price impact of the amount.{' '}
        {!isFree && 'Each fee is paid 30 days ahead, at the fee and SOL price of that day. '}
        {callsWithoutResult > 0 && `${pluralize(callsWithoutResult, 'call')} left out: there is no price. `}
        {describeOpenCalls(results.openCalls)} Open calls don’t count.
      </p>
    </div>
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
