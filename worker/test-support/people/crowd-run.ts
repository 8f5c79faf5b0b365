import { expect, vi } from 'vitest';
import { MESSAGES_PER_SECOND } from '#schema/constants/messages.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import { createPaidCaller, makeCall, MINTS } from './callers.ts';
import { gatherFollowers } from './crowd.ts';
import { query } from '../database/database.ts';
import { withSenderModel } from '../messages/sender-model.ts';
import { interceptTelegram } from '../messages/telegram-model.ts';
import { createTestApp } from '../test-app.ts';

/** Cloudflare's limit. Other messages need up to five times as many as an update, whose text is the same for all. */
const D1_QUERIES_PER_RUN = 1_000;

export interface CrowdRun {
  readonly recipients: number;
  readonly deathsAfter: readonly number[];
}

/** Creates a caller with an active call and `followers.count` connected followers. */
export async function createCrowdedCaller(handle: string, followers: { count: number; first?: number }) {
  const app = await createTestApp();
  const { caller } = await createPaidCaller(app, { handle });
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await app.sender.deliver();
  await gatherFollowers({ callerId: caller.id, ...followers });
  const update = { userId: caller.id, body: { callId: call.id, message: 'Take half off.' } };
  return { app, caller, update };
}

/**
 * Sends an update under bad conditions: Telegram responds to a tenth of the requests with a 429 (retry after 1 to 3
 * s), a twentieth of the chats block the bot, and processes die. Asserts that no message is lost and that the
 * full rate is reached. A message may be sent twice only if a process died before it recorded the send.
 */
export async function runCrowd({ recipients, deathsAfter }: CrowdRun): Promise<void> {
  const quiet = (['log', 'warn'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => undefined),
  );
  const { app, update } = await createCrowdedCaller('amara_calls', { count: recipients });
  const startsAt = app.clock.now();
  const chats = Array.from({ length: recipients }, (_, index) => String(index + 1));
  const { telegram, unrecorded, figures } = await withSenderModel(
    { startsAt, deathsAfter },
    async (model) => {
      const { clock } = model;
      const shares = { refusedShare: 0.1, blockedShare: 0.05 };
      const telegram = interceptTelegram({ clock, seed: 'ten thousand', ...shares });
      await clock.run(model.services.callUpdates.send(update));
      await clock.run(model.send());
      return { telegram, unrecorded: model.unrecorded, figures: model.figures };
    },
  );
  const reachable = chats.filter((chatId) => !telegram.isBlocked(chatId));
  const blocked = chats.filter(telegram.isBlocked);
  const timesSent = (chatId: string) => telegram.taken.get(chatId)?.length ?? 0;
  const lost = reachable.filter((chatId) => timesSent(chatId) === 0);
  const duplicated = reachable.filter((chatId) => timesSent(chatId) > 1);
  const disconnected = await query<{ chat: string }>(
    'SELECT substr(handle, 2) AS chat FROM telegram_links WHERE chat_id IS NULL',
  );
  const [counts] = await query(
    "SELECT recipients, delivered, unreachable, failed FROM call_events WHERE kind = 'call_update'",
  );
  const { deaths, mostQueriesOfRun } = figures;
  const { requests, refused, overruns, mostInASecond, lastAt } = telegram.figures;
  const wallSeconds = (lastAt - startsAt) / SECOND_MS;
  const allowedSeconds = recipients / MESSAGES_PER_SECOND;
  for (const spy of quiet) spy.mockRestore();
  console.log(
    JSON.stringify({
      recipients,
      blocked: blocked.length,
      lost: lost.length,
      duplicated: duplicated.length,
      unrecorded: unrecorded.size,
      deaths,
      mostQueriesOfRun,
      requests,
      refused,
      overruns,
      mostInASecond,
      wallSeconds,
      ratio: wallSeconds / allowedSeconds,
    }),
  );
  expect(lost).toEqual([]);
  expect(duplicated.filter((chatId) => !unrecorded.has(chatId) || timesSent(chatId) > 2)).toEqual([]);
  expect(disconnected.map(({ chat }) => chat).toSorted()).toEqual(blocked.toSorted());
  expect(counts).toEqual({
    recipients,
    delivered: reachable.length,
    unreachable: blocked.length,
    failed: 0,
  });
  expect(overruns).toBe(0);
  // The last retries and the restarts add a few seconds even with few followers.
  expect(wallSeconds).toBeLessThanOrEqual(Math.max(1.02 * allowedSeconds, allowedSeconds + 8));
  expect(mostQueriesOfRun).toBeLessThan(D1_QUERIES_PER_RUN / 5);
  expect(deaths).toBe(deathsAfter.length);
  expect(unrecorded.size).toBeGreaterThanOrEqual(deathsAfter.length);
  expect(refused / requests).toBeGreaterThan(0.08);
}
