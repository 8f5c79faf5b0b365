import { Link } from '@tanstack/react-router';
import {
  CLOSE_INTERVAL_MS,
  CLOSES_DAILY_AFTER_MS,
  CLOSES_HOURLY_AFTER_MS,
  DAY_MS,
  MAX_PRICE_DEVIATION_PERCENT,
  MAX_QUOTE_AGE_MS,
  MIN_RANKED_LIQUIDITY_USD,
  MINUTE_MS,
  SECOND_MS,
  STATISTICS_MAX_CALLS,
  STATISTICS_WINDOWS_DAYS,
} from '#schema/constants.ts';
import { buttonClassName } from '#web/ui/button-class-name.ts';
import { Section } from './definition.tsx';
import { ExampleCalls } from './example-calls-table.tsx';
import { RankedFigures, SpecFigures } from './figures.tsx';

const sections = [
  ['ranked', 'What is ranked'],
  ['everybody', 'Over every ended call'],
  ['record', 'Over ranked calls'],
  ['prices', 'Where prices come from'],
  ['peaks', 'Closes and peaks'],
] as const;

const liquidity = `${MIN_RANKED_LIQUIDITY_USD.toLocaleString('en-US')} USD`;
const [month, quarter] = STATISTICS_WINDOWS_DAYS;

/** What every figure of a caller says and how it is reckoned, for people. */
export function HowWeCountPage() {
  return (
    <div className="desk py-6 md:py-10">
      <div className="max-w-3xl">
        <h1 className="text-xl font-semibold tracking-tight md:text-2xl">How We Count</h1>
        <p className="mt-2 text-text-muted">
          A call has two ends: the price when it was made and the price when its caller ended it. Our server
          fetches both, at that moment; nobody can set, edit or delete them. All figures come from these
          prices, and each stands beside the number of calls that it rests on.
        </p>
        <nav aria-label="On this page" className="mt-4 flex flex-wrap gap-x-5">
          {sections.map(([id, title]) => (
            <Link
              key={id}
              to="/how-we-count"
              hash={id}
              className="inline-flex min-h-11 items-center text-sm underline decoration-line-strong underline-offset-4 hover:decoration-current md:min-h-8"
            >
              {title}
            </Link>
          ))}
        </nav>

        <Section id="example" title="Five calls to reckon with">
          <p>Each example below is of these five, in the order in which they ended.</p>
          <ExampleCalls />
        </Section>

        <Section id="ranked" title="What is ranked">
          <p>
            A call is <strong>ranked</strong> when its token has at least {liquidity} of liquidity at the
            moment of the call, by the source that names the most. Only a source with a price of the last{' '}
            {MAX_QUOTE_AGE_MS / SECOND_MS} seconds is heard. With less behind it, a few hundred dollars would
            move the price, and a record could be bought. Where no such source says how much there is, the
            call is unranked too.
          </p>
          <p>
            This is decided when the call is made and never afterwards: a token that loses its liquidity later
            leaves the call ranked, and so the loss counts. An unranked call is marked as such wherever it is
            shown. It counts for Win Rate, Avg Return and the number of calls, and for nothing else on this
            page.
          </p>
        </Section>

        <Section id="everybody" title="Over every ended call">
          <SpecFigures />
        </Section>

        <Section id="record" title="Over ranked calls">
          <p>
            For calls that ended in the last {month} days, the last {quarter} days, or ever (the newest{' '}
            {STATISTICS_MAX_CALLS.toLocaleString('en-US')} ended calls). A call belongs to the time in which
            it ended, not to that in which it was made.
          </p>
          <RankedFigures />
        </Section>

        <Section id="prices" title="Where prices come from">
          <p>
            From Jupiter and DexScreener. When a call is made or ended, both are asked at that moment, past
            all caches, and both answers are kept beside the call. Jupiter’s is the one recorded;
            DexScreener’s stands in where Jupiter is down or does not know the token.
          </p>
          <p>
            If the two are more than {MAX_PRICE_DEVIATION_PERCENT}% apart, or none is younger than{' '}
            {MAX_QUOTE_AGE_MS / SECOND_MS} seconds, or one answers with what is no price, nothing is recorded:
            the call stays as it was, and the caller is told why.
          </p>
          <p>Prices you look at may be some seconds old. They never open or end a call.</p>
        </Section>

        <Section id="peaks" title="Closes and peaks">
          <p>
            While a call is open, the price of its token is kept every {CLOSE_INTERVAL_MS / MINUTE_MS}{' '}
            minutes: that is a close. Charts are drawn from closes. After {CLOSES_HOURLY_AFTER_MS / DAY_MS}{' '}
            days one an hour is kept, after {CLOSES_DAILY_AFTER_MS / DAY_MS} days one a day.
          </p>
          <p>
            The peak of a call is the highest of its entry, its end, and what two looks in a row, a minute
            apart, have borne out: one slip of a source makes no peak, and what happened between two looks is
            not in it. Calls from the time before peaks were followed have none: they are left out of the
            average peak, and the figure says of how many calls it is.
          </p>
        </Section>

        <Link to="/" className={buttonClassName({ className: 'mt-10' })}>
          To the Directory
        </Link>
      </div>
    </div>
  );
}
