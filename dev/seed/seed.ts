import { createServices } from '#worker/app/services.ts';
import type { Chain } from '../stand-ins/chain/chain.ts';
import { findDatabase } from '../local/data-folder.ts';
import { migrateDatabase } from '../local/migrate-database.ts';
import { ANCHOR_LAMPORTS, anchorKeypair, platformAddress, productVars } from '../local/product-vars.ts';
import { stateDirOf, type Settings } from '../settings.ts';
import { createBindings } from './bindings.ts';
import { fundMarket } from './buy-on-chain.ts';
import { createFixtures } from './fixtures.ts';
import { runHistory, type History, type HistoryClock } from './history.ts';
import { openLocalD1 } from './local-d1.ts';
import { fundWallets } from './pay-on-chain.ts';
import { openHistoricalEnvironment } from './past-environment.ts';
import { planBuys } from './plan-buys.ts';
import { planCalls } from './plan-calls.ts';
import { planPaperFollows, planSubscriptions } from './plan-subscriptions.ts';
import { planTicks } from './plan-ticks.ts';

const HISTORY_MS = 60 * 86_400_000;
const FUNDING_MS = 3_600_000;

interface SeedOptions {
  readonly settings: Settings;
  /** The end of the history (unix ms). */
  readonly now: number;
}

/**
 * Fills an empty data folder with two months of history: people, callers with calls, buys, and subscriptions. The
 * product's services write it, with a clock that runs through the past and against the stand-ins of the local environment.
 */
export async function seed({ settings, now }: SeedOptions): Promise<{ calls: number; payments: number }> {
  const { productUrl } = settings;
  const history = planHistory(now);
  const from = now - HISTORY_MS;
  const clock = createHistoryClock(from - FUNDING_MS);
  const stateDir = stateDirOf(settings);
  migrateDatabase(stateDir);
  const database = openLocalD1(findDatabase(stateDir));
  const environment = openHistoricalEnvironment({ settings, now: clock.now });
  try {
    fundEveryone(environment.chain, history);
    const bindings = createBindings({ database, vars: productVars({ productUrl, environment }) });
    const services = createServices(bindings, { clock, random: () => 0.5 });
    const controls = createControls(environment.standInsUrl);
    await runHistory({ history, services, chain: environment.chain, controls, clock });
  } finally {
    environment.close();
  }
  database.close();
  return { calls: history.calls.length, payments: history.payments.length };
}

function planHistory(now: number): History {
  const from = now - HISTORY_MS;
  const fixtures = createFixtures({ from, now });
  const calls = fixtures.callers.flatMap((caller) => planCalls({ caller, from, now }));
  return {
    fixtures,
    calls,
    ...planSubscriptions({ fixtures, now }),
    paperFollows: planPaperFollows(fixtures),
    buys: planBuys({ callers: fixtures.callers, calls, now }),
    ticks: planTicks({ callers: fixtures.callers, calls, from, now }),
  };
}

function createHistoryClock(start: number): HistoryClock {
  let now = start;
  const moveTo = (at: number) => {
    now = Math.max(now, at);
  };
  return {
    now: () => now,
    sleep: (milliseconds) => Promise.resolve(moveTo(now + milliseconds)),
    moveTo,
  };
}

function fundEveryone(chain: Chain, { fixtures, payments, buys }: History): void {
  fundWallets({ chain, platformAddress, callers: fixtures.callers, payments });
  fundMarket({ chain, buys });
  chain.airdrop(anchorKeypair.publicKey.toBase58(), ANCHOR_LAMPORTS);
}

function createControls(standInsUrl: string) {
  return {
    async send(method: 'POST' | 'DELETE', path: string, body?: object): Promise<void> {
      const response = await fetch(`${standInsUrl}/_control${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    },
  };
}
