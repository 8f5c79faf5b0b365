import { expect, inject, it, vi } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query } from '#test/database/database.ts';
import { connectChat } from '#test/messages/telegram-chats.ts';
import { withSenderModel } from '#test/messages/sender-model.ts';
import { interceptTelegram } from '#test/messages/telegram-model.ts';
import { postUpdate, textUpdate } from '#test/messages/telegram.ts';
import { createPaidCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { createCrowdedCaller } from '#test/people/crowd-run.ts';
import { createTestApp, testEnv } from '#test/test-app.ts';

/** `npm run test:deep` takes a minute of virtual time. */
const CALLS = inject('isDeep') ? 10 : 2;
const BETWEEN_CALLS_MS = 5 * SECOND_MS;
const FOREIGN_PER_MINUTE = 1_000;

it('a post arrives within 2 s while 10,000 private messages are sent and 1,000 chat messages a minute come in', async () => {
  const quiet = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const { app, update } = await createCrowdedCaller('amara_calls', { count: 10_000 });
  const { caller } = await createPaidCaller(app, { handle: 'small_calls' });
  const { chatId } = await connectChat({ caller });
  const call = await makeCall({ caller, mint: MINTS.JUP, price: 1 });
  await app.sender.deliver();
  await query('DELETE FROM facts WHERE is_reminder = 0');
  const rows = { foreign: 0, read: 0, written: 0 };
  const DB = countRows(testEnv.DB, (counted) => {
    rows.read += counted.rows;
    rows.written += counted.written;
  });
  const foreignApp = await createTestApp({ bindings: { DB } });
  const foreign = textUpdate({ chatId, text: 'gm', type: 'supergroup' });

  const waits = await withSenderModel({ startsAt: app.clock.now() }, async (model) => {
    const { clock } = model;
    const telegram = interceptTelegram({ clock, seed: 'posts' });
    const waited: number[] = [];
    const isOver = () => waited.length === CALLS;
    const postsOf = () => telegram.taken.get(String(chatId))?.length ?? 0;

    const callNow = async () => {
      // Makes the update a new post instead of an edit.
      await clock.during(() => query('DELETE FROM chat_posts'));
      const sentAt = clock.now();
      const before = postsOf();
      await model.services.callUpdates.send({
        userId: caller.id,
        body: { callId: call.id, message: `Update ${waited.length}.` },
      });
      await model.post();
      expect(postsOf()).toBe(before + 1);
      waited.push(clock.now() - sentAt);
    };
    const callOften = async () => {
      for (let number = 0; number < CALLS; number += 1) {
        await clock.sleep(BETWEEN_CALLS_MS);
        await callNow();
      }
    };
    const chatter = async () => {
      while (!isOver()) {
        const response = await clock.during(() => postUpdate(foreignApp, foreign));
        expect([response.status, await clock.during(() => response.text())]).toEqual([200, '']);
        rows.foreign += 1;
        await clock.sleep(MINUTE_MS / FOREIGN_PER_MINUTE);
      }
    };
    await clock.run(model.services.callUpdates.send(update));
    await clock.run(Promise.all([callOften(), chatter(), model.send(isOver)]));
    return { waited, ...telegram.figures };
  });
  quiet.mockRestore();
  console.log(JSON.stringify({ ...waits, ...rows }));
  expect(Math.max(...waits.waited)).toBeLessThanOrEqual(2 * SECOND_MS);
  expect(waits.requests).toBeGreaterThan((CALLS * BETWEEN_CALLS_MS * 20) / SECOND_MS);
  expect(rows).toMatchObject({ read: 0, written: 0 });
});
