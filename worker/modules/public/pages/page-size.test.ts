import { beforeEach, expect, it } from 'vitest';
import { CALL_HISTORY_LIMIT, DIRECTORY_PAGE_SIZE } from '#schema/constants/market.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { addDerivedRows } from '#test/derived-rows.ts';
import { createTestApp, type TestApp } from '#test/test-app.ts';

const MAX_BYTES = 110_000;

let app: TestApp;

const idOf = (group: string, number: number) =>
  `0b9d2a1c-${group}-4000-8000-${String(number).padStart(12, '0')}`;

/** A full directory. Each caller has eight calls, and the first one has as many as a profile lists. */
beforeEach(async () => {
  app = await createTestApp();
  const now = app.clock.now();
  const callers = Array.from({ length: DIRECTORY_PAGE_SIZE }, (_, number) => idOf('0000', number));
  await insertRows(
    'users',
    callers.map((id, number) => ({
      id,
      twitter_handle: `handle_of_max_${number}`,
      first_name: 'Maximiliane',
      last_name: 'Thimblewood',
      profile_image_url: `https://pbs.twimg.com/profile_images/${number}/a.png`,
    })),
  );
  await insertRows(
    'callers',
    callers.map((id) => ({ caller_id: id, search_text: id, fee_lamports: 500_000_000, payout_address: id })),
  );
  await insertRows(
    'calls',
    callers.flatMap((id, caller) =>
      Array.from({ length: caller === 0 ? CALL_HISTORY_LIMIT : 8 }, (_, number) => ({
        id: idOf(String(1000 + caller), number),
        caller_id: id,
        token_mint: `DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1${String(number).padStart(6, 'x')}`,
        token_symbol: 'POPCAT',
        token_name: 'A name of some length',
        logo_uri: `https://img.example/tokens/${number}.png`,
        entry_price: '0.00002134567',
        entry_market_cap_usd: 1_800_000_000,
        called_at: now - (number + 2) * DAY_MS,
        end_price: number % 3 === 0 ? '0.00001123456' : '0.00003123456',
        ended_at: now - (number + 1) * DAY_MS - caller * MINUTE_MS,
        change_percent: number % 3 === 0 ? -47.4 : 46.3,
      })),
    ),
  );
  await addDerivedRows();
});

it.each(['/', '/recent-calls', `/caller/${idOf('0000', 0)}`])(
  'the HTML of %s has at most 110,000 bytes in a full database',
  async (path) => {
    const response = await app.request(path);
    const html = await response.text();
    expect(html).toContain('Maximiliane');
    expect(new TextEncoder().encode(html).length).toBeLessThanOrEqual(MAX_BYTES);
  },
);
