import { Link } from '@tanstack/react-router';
import { formatCount, formatRate, formatUsd } from '#schema/rules/text/format.ts';
import {
  CLOSE_INTERVAL_MS,
  CLOSES_DAILY_AFTER_MS,
  CLOSES_HOURLY_AFTER_MS,
  DAY_MS,
  FOLLOWER_FIGURES_CALLS,
  HOLDINGS_MAX_TRANSACTIONS,
  HOLDINGS_MIN_USD,
  HOLDINGS_SUMMED_CALLS,
  MAX_PRICE_DEVIATION_PERCENT,
  MAX_QUOTE_AGE_MS,
  MINUTE_MS,
  SECOND_MS,
  STATISTICS_MAX_CALLS,
  STATISTICS_WINDOWS_DAYS,
} from '#schema/constants.ts';
import { ALL_PRICE_SOURCES } from '#schema/rules/prices/price-source-names.ts';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { CountedCalls } from './counted-calls.tsx';
import { Section } from '#web/ui/lists/section.tsx';
import { ExampleCalls } from './example-calls-table.tsx';
import { Figures } from './figures.tsx';

const sections = [
  ['ranked', 'Which calls count'],
  ['record', 'Figures'],
  ['prices', 'Price sources'],
  ['peaks', 'Charts and peaks'],
  ['skin', 'Skin in the game'],
] as const;

const quoteAge = `${MAX_QUOTE_AGE_MS / SECOND_MS} seconds`;
const [month, quarter] = STATISTICS_WINDOWS_DAYS;

export function HowWeCountPage() {
  return (
    <div className="desk py-6 md:py-10">
      <div className="max-w-3xl">
        <h1 className="text-xl font-semibold tracking-tight md:text-2xl">How We Count</h1>
        <p className="mt-2 text-text-muted">
          Every call has an entry price from when it was made and an end price from when it ended. Our server
          fetches both at that moment, and nobody can set, edit or delete them. All figures come from these
          prices and show how many calls they cover.
        </p>
        <nav aria-label="On this page" className="mt-4 flex flex-wrap gap-x-5">
          {sections.map(([id, title]) => (
            <Link
              key={id}
              to="/how-we-count"
              hash={id}
              className="inline-flex min-h-11 items-center text-sm link md:min-h-8"
            >
              {title}
            </Link>
          ))}
        </nav>
        <CountedCalls />
        <Section id="example" title="Five example calls">
          <p>The examples below use these five calls, in the order in which they ended.</p>
          <ExampleCalls />
        </Section>
        <Section id="record" title="Figures">
          <p>
            All of them cover ended ranked calls. Win Rate and Avg Return cover every such call, Follower
            Return and Proven the newest {FOLLOWER_FIGURES_CALLS}. The others cover calls that ended in the
            last {month} days, in the last {quarter} days, or at any time (up to the newest{' '}
            {formatCount(STATISTICS_MAX_CALLS)} ended calls). A call belongs to the period in which it ended.
          </p>
          <Figures />
        </Section>
        <PricesSection />
        <PeaksSection />
        <SkinSection />
        <Link to="/" className={buttonClassName({ className: 'mt-10' })}>
          Back to Directory
        </Link>
      </div>
    </div>
  );
}

function PricesSection() {
  return (
    <Section id="prices" title="Price sources">
      <p>
        Prices come from {ALL_PRICE_SOURCES}. When a call is made or ended, we ask both at that moment,
        without any cache, and store both responses with the call. The higher price opens a call and the lower
        one ends it, so nobody gains from a source that lags. If one source is down or doesn't know the token,
        the other one's price counts.
      </p>
      <p>
        Nothing is recorded if the two prices differ by more than {MAX_PRICE_DEVIATION_PERCENT}%, if neither
        is at most {quoteAge} old, or if one of them is invalid. The call stays as it was, and the caller sees
        why.
      </p>
      <p>Prices on the screen may be a few seconds old. They never open or end a call.</p>
      <p>
        The market cap at a call's entry is what the source of the entry price reports at that moment, or else
        the other source. It is stored with the call and never changes. Market caps at the end and now are
        that figure, moved with the price, so they assume that the supply is still the same. No figure counts
        them.
      </p>
    </Section>
  );
}

function SkinSection() {
  return (
    <Section id="skin" title="Skin in the game">
      <p>
        Each call's page shows what the caller's own wallets bought and sold of the token, from an hour before
        the call to a day after its end, if it's worth {formatUsd(HOLDINGS_MIN_USD)} or more. We read this
        from the chain after the call, after its end, and a day later. The wallets are those that the caller
        had verified by the call's end. Nobody can see wallets that a caller hasn't verified.
      </p>
      <p>
        A purchase is paid in SOL or a stable coin, and a sale brings SOL or a stable coin. Everything else is
        a transfer, also a swap for another token, a deposit in a pool or a gift. Transfers between the
        caller's own wallets aren't listed. A purchase or sale is worth what was paid, a transfer what the
        token cost then. From an hour after the call's end, we know no price, so the value is unknown.
      </p>
      <p>
        Someone held 800, bought 200 more after calling, and sold 400 four minutes later: sold 400 / (800 +
        200) ={` ${formatRate(40)}`}. We read at most {HOLDINGS_MAX_TRANSACTIONS} transactions, the oldest
        first, and say if there are more. Profiles cover the newest {HOLDINGS_SUMMED_CALLS} ended calls: the
        share with a purchase, and the median time to the first sale.
      </p>
    </Section>
  );
}

function PeaksSection() {
  return (
    <Section id="peaks" title="Charts and peaks">
      <p>
        While a call is open, we store its token's price every {CLOSE_INTERVAL_MS / MINUTE_MS} minutes and
        draw the chart from these prices. After {CLOSES_HOURLY_AFTER_MS / DAY_MS} days we keep one an hour,
        after {CLOSES_DAILY_AFTER_MS / DAY_MS} days one a day.
      </p>
      <p>
        A call's peak is the highest of its entry price, its end price and any price that two checks in a row,
        a minute apart, have confirmed. A single wrong quote doesn't count, and we miss a move between two
        checks. Calls from before we tracked peaks have none. Average Peak leaves them out and shows how many
        calls it covers.
      </p>
    </Section>
  );
}
