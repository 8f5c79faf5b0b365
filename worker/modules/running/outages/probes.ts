import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { ABILITIES } from '#schema/constants/running.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { Ability } from '#schema/rules/running/outages.ts';
import type { Base } from '../../../app/base.ts';
import { outageCauseOf } from '../../../app/outage-cause.ts';
import type { Identity, OAuthResponse } from '../../../ports/identity.ts';
import { BULK, SourceBackoffError, type PriceSource } from '../../../ports/price-source.ts';
import { OutageError } from '../../../ports/unavailable.ts';
import { createJobsRepository } from '../health/jobs.repository.ts';
import { withTimeout } from '../../../shared/with-timeout.ts';

/** A slower database fails users' requests, too. */
const SLOW_MS = 4 * SECOND_MS;
const WRITE_LIMIT = { burst: 1_000, everyMs: 1 };

export interface ProbesOptions extends Pick<Base, 'db' | 'attempts' | 'chain'> {
  readonly priceSources: readonly PriceSource[];
  readonly identify: (response: OAuthResponse) => Promise<Identity | null>;
  /** @throws OutageError */
  readonly askTelegram: () => Promise<void>;
}

/** Probes by what users can't do if they fail. Each throws if it does. */
type Probe = readonly [ask: () => Promise<unknown>, abilities: readonly Ability[]];

/** Asks the database and each third party for the least that shows whether users could do something. */
export function createProbes(options: ProbesOptions) {
  const { db, attempts, chain, priceSources, identify, askTelegram } = options;
  const write = () => attempts.take({ action: 'probe', person: '', limit: WRITE_LIMIT });
  const probes: readonly Probe[] = [
    [
      () => askDatabase('database.unreadable', createJobsRepository(db).listMigrations()),
      ['pages', 'sign_in', 'payments', 'calls'],
    ],
    [() => askDatabase('database.unwritable', write()), ['sign_in', 'payments', 'calls']],
    [() => askSources(priceSources), ['calls']],
    // Calls need the chain, too: a token's units are read from it.
    [() => chain.latestBlockhash(), ['payments', 'calls']],
    // X refuses the code. That shows that it accepts our client secret.
    [() => identify({ code: 'probe', codeVerifier: 'probe' }), ['sign_in', 'posts']],
    [askTelegram, ['messages']],
  ];
  return async (): Promise<Record<Ability, string | null>> => {
    const results = await Promise.all(
      probes.map(async ([ask, abilities]) => ({ abilities, cause: await findCause(ask) })),
    );
    const causeFor = (ability: Ability) =>
      results.find(({ abilities, cause }) => cause !== null && abilities.includes(ability))?.cause ?? null;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- One entry for each ability.
    return Object.fromEntries(ABILITIES.map((ability) => [ability, causeFor(ability)])) as Record<
      Ability,
      string | null
    >;
  };
}

/** Asks a second time, because any third party refuses a request now and then. @returns null if a request succeeds */
async function findCause(ask: () => Promise<unknown>): Promise<string | null> {
  const askOnce = () => ask().then(() => null, nameCause);
  return (await askOnce()) && askOnce();
}

const nameCause = (error: unknown) => outageCauseOf(error).cause;

async function askDatabase(code: string, statement: Promise<unknown>): Promise<void> {
  const late = new OutageError('database.slow');
  const failed = statement.catch((error: unknown) => {
    throw new OutageError(code, error);
  });
  await withTimeout(failed, SLOW_MS, late);
}

/** One source that responds is enough. A source whose rate limit we have used up isn't down. */
async function askSources(sources: readonly PriceSource[]): Promise<void> {
  const works = async (source: PriceSource) => {
    try {
      return (await source.quote(WRAPPED_SOL_MINT, BULK)).price !== null;
    } catch (error) {
      return error instanceof SourceBackoffError && !error.isFailing;
    }
  };
  const working = await Promise.all(sources.map(works));
  if (!working.includes(true)) throw new OutageError('prices.unavailable');
}
