import { afterEach, expect, inject, it, vi } from 'vitest';
import { LIVE_PRICES_MS, MAX_LIVE_PAIRS } from '#schema/constants/messages.ts';
import { DAY_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { LivePrices } from '#schema/contracts/live.ts';
import { countRows } from '#test/database/count-rows.ts';
import { mintOf } from '#test/people/active-calls.ts';
import { createTestApp, testEnv } from '#test/test-app.ts';
import { LIVE_HUB_NAMES, liveHubOf } from '../../../app/env.ts';
import { NEW_PAGE } from './live-connection.ts';

const FOLLOWED = 10;
const MAX_AGE_MS = 15 * SECOND_MS;
const idOf = (kind: string, index: number) =>
  `${(Math.imul(index, 2_654_435_761) >>> 0).toString(16).padStart(8, '0')}-${kind}-${index}`;

/** A page's socket at the edge of the hub. */
class FakePage {
  readonly received: { readonly text: string; readonly at: number }[] = [];
  readonly userId: string;
  #attachment: unknown;
  constructor(index: number) {
    this.userId = idOf('viewer', index);
    this.#attachment = { ...NEW_PAGE, userId: this.userId, sessionId: `session-${index}` };
  }
  send(text: string) {
    this.received.push({ text, at: Date.now() });
  }
  messages() {
    return this.received.map(({ text, at }) => ({
      prices: Object.values((JSON.parse(text) as LivePrices).prices),
      at,
    }));
  }
  close() {}
  serializeAttachment(attachment: unknown) {
    this.#attachment = structuredClone(attachment);
  }
  deserializeAttachment() {
    return structuredClone(this.#attachment);
  }
}

/** Each viewer pays for ten of the callers. Each caller has an active call of an own token. */
async function insertFollowers(count: number, now: number): Promise<void> {
  const callers = Array.from({ length: count }, (_, index) => [idOf('caller', index), mintOf(index)]);
  const viewers = Array.from({ length: count }, (_, index) => [idOf('viewer', index), `session-${index}`]);
  const pairs = Array.from({ length: count * FOLLOWED }, (_, index) => {
    const viewer = Math.floor(index / FOLLOWED);
    return [idOf('viewer', viewer), idOf('caller', (viewer * 7 + (index % FOLLOWED) * 503) % count)];
  });
  const insert = (sql: string, rows: unknown) => testEnv.DB.prepare(sql).bind(JSON.stringify(rows), now);
  const users = `
    INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
    SELECT value ->> 0, value ->> 0, value ->> 0, 'A', 'B', ?2, ?2 FROM json_each(?1)`;
  await testEnv.DB.batch([
    insert(users, [...callers, ...viewers]),
    insert(
      `INSERT INTO callers (caller_id, search_text, fee_lamports, payout_address, total_calls, created_at, updated_at)
       SELECT value ->> 0, '', 500000000, 'wallet', 1, ?2, ?2 FROM json_each(?1)`,
      callers,
    ),
    insert(
      `INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at)
       SELECT 'call-' || key, value ->> 0, value ->> 1, 'T', 'Token', '1', ?2 FROM json_each(?1)`,
      callers,
    ),
    insert(
      `INSERT INTO sessions (token_hash, user_id, created_at, expires_at, last_used_at, device_hash)
       SELECT value ->> 1, value ->> 0, ?2, ?2 + ${DAY_MS}, ?2, '' FROM json_each(?1)`,
      viewers,
    ),
  ]);
  for (let start = 0; start < pairs.length; start += 10_000) {
    await insert(
      `INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at)
       SELECT (value ->> 0) || (value ->> 1), value ->> 0, value ->> 1, ?2, ?2 + ${DAY_MS}, 'active', ?2 FROM json_each(?1)`,
      pairs.slice(start, start + 10_000),
    ).run();
  }
}

/** A price source that knows all tokens. Returns the number of requests so far. */
function stubSource(): () => number {
  let requests = 0;
  const send = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const ids = new URL(input instanceof Request ? input.url : input).searchParams.get('ids');
    if (ids === null) return send(input, init);
    requests += 1;
    return Response.json(Object.fromEntries(ids.split(',').map((mint) => [mint, { usdPrice: 2 }])));
  });
  return () => requests;
}

async function openDashboards(count: number) {
  const statements: string[] = [];
  let rows = 0;
  const DB = countRows(testEnv.DB, (counted) => {
    statements.push(counted.sql);
    rows += counted.rows;
  });
  const plan = { JUPITER_API_KEY: 'key', JUPITER_REQUESTS_PER_SECOND: '100' };
  const app = await createTestApp({ bindings: { DB, ...plan } });
  await insertFollowers(count, app.clock.now());
  const pages = Array.from({ length: count }, (_, index) => new FakePage(index));
  const byHub = Map.groupBy(pages, ({ userId }) => liveHubOf(userId));
  const hubs = LIVE_HUB_NAMES.map((name) => {
    const own = (byHub.get(name) ?? []) as unknown as WebSocket[];
    const getWebSockets = (tag?: string) =>
      tag === undefined
        ? own
        : own.filter((page) => `person ${(page as unknown as FakePage).userId}` === tag);
    const sockets = { acceptWebSocket: () => undefined, getWebSockets };
    return { own, hub: app.services.openLiveHub({ sockets, wakeAt: async () => undefined }) };
  });
  for (const { own, hub } of hubs) {
    const userIds = own.map((page) => (page as unknown as FakePage).userId);
    await hub.peopleChanged({ userIds, topic: 'payments' });
    for (const page of own) await hub.message(page, ' prices');
  }
  for (const page of pages) page.received.length = 0;
  const requests = stubSource();
  await app.advance(LIVE_PRICES_MS - (app.clock.now() % LIVE_PRICES_MS));
  statements.length = 0;
  rows = 0;
  // One after the other, because each hub has a processor of its own in production.
  let tookMs = 0;
  const ages: number[] = [];
  for (const { own, hub } of hubs) {
    const startedAt = Date.now();
    await hub.sendPrices();
    tookMs = Math.max(tookMs, Date.now() - startedAt);
    for (const page of own as unknown as FakePage[]) {
      for (const { prices, at } of page.messages()) {
        ages.push(...prices.map((price) => app.clock.now() - Date.parse(price.at) + at - startedAt));
      }
    }
  }
  const received = pages.map((page) => page.messages().map(({ prices }) => prices.length));
  return { received, ages, statements, rows, tookMs, requests: requests() };
}

const countOf = (statements: readonly string[], part: string) =>
  statements.filter((sql) => sql.includes(part)).length;

afterEach(() => {
  vi.restoreAllMocks();
});

it.each(inject('isDeep') ? [5_000] : [50, 500])(
  '%i open dashboards that follow as many callers get all prices in one message, with one statement per hub and two per slice',
  async (count) => {
    const { received, ages, statements, rows, tookMs, requests } = await openDashboards(count);
    // A page shows a price until the next one arrives.
    const shown = ages.flatMap((age) =>
      Array.from({ length: 10 }, (_, tenth) => age + ((tenth + 1) * LIVE_PRICES_MS) / 10),
    );
    const p99 = shown.toSorted((one, other) => one - other)[Math.floor(shown.length * 0.99)] ?? Infinity;
    console.log(
      JSON.stringify({
        count,
        statements: statements.length,
        rows,
        tookMs,
        requests,
        p99,
        prices: ages.length,
      }),
    );
    expect(received).toEqual(Array.from({ length: count }, () => [FOLLOWED]));
    expect(p99).toBeLessThanOrEqual(MAX_AGE_MS);
    const hubs = LIVE_HUB_NAMES.length;
    const slices = Math.ceil((count * (FOLLOWED + 1)) / hubs / MAX_LIVE_PAIRS);
    expect(countOf(statements, 'pair.value')).toBe(slices * hubs);
    expect(countOf(statements, 'FROM json_each(?) CROSS JOIN sessions')).toBe(slices * hubs);
    expect(countOf(statements, 'calls k INDEXED BY calls_active')).toBe(hubs);
    // The price source's budget.
    expect(statements.length - hubs - 2 * slices * hubs).toBeLessThanOrEqual(requests);
    expect(rows / count).toBeLessThanOrEqual(75);
  },
);
