// How long an update takes to reach a crowd over the local runtime's own queues and a Telegram that takes only so many messages
// a second, turns a tenth away and has lost a twentieth of its people: as a ratio to the fastest that the bot's pace permits.
import { randomUUID } from 'node:crypto';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { BROADCASTS_PER_SECOND, SECOND_MS } from '#schema/constants.ts';
import { startLocalProduct } from '#dev/local-product.ts';

const recipients = Number(process.argv[2] ?? 10_000);
const blocked = recipients / 20;
const TAKEN_PER_SECOND = 30;
const POLL_MS = 250;
/** As long as nothing has arrived, it is over. */
const QUIET_MS = 30 * SECOND_MS;
const ports = { port: 19587, solanaPort: 19588, standInsPort: 19590 };
const CALLER = 'amara_calls';

interface LocalChat {
  readonly chatId: number;
  readonly handle: string;
}

const dataDir = mkdtempSync(join(tmpdir(), 'solcallers-fan-out-'));
const productUrl = `http://localhost:${ports.port}`;
const product = await startLocalProduct(
  { ...ports, dataDir, productUrl },
  { isWatching: false, log: (line) => console.log(line) },
);

async function control<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const init =
    body === undefined
      ? { method }
      : { method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  const answer = await fetch(`${product.world.standInsUrl}/_control${path}`, init);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** Signs in over X's page, as a browser would. Gives the session's cookie. */
async function signIn(handle: string): Promise<string> {
  const cookieOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';', 1)[0])
      .join('; ');
  const start = await fetch(`${productUrl}/api/auth/twitter`, { redirect: 'manual' });
  const answered = await fetch(`${start.headers.get('Location')}&login_as=${handle}`, { redirect: 'manual' });
  return cookieOf(
    await fetch(answered.headers.get('Location') ?? '', {
      redirect: 'manual',
      headers: { Cookie: cookieOf(start) },
    }),
  );
}

/** Writes connected followers into the database that the product runs on. */
function follow({ callerId, chats }: { callerId: string; chats: readonly LocalChat[] }): void {
  const files = globSync(join(dataDir, 'state/v3/d1/**/*.sqlite')).filter(
    (file) => !file.endsWith('metadata.sqlite'),
  );
  const [file] = files;
  if (file === undefined || files.length > 1) {
    throw new Error(`There is not one database: ${files.join(', ')}`);
  }
  const database = new DatabaseSync(file, { timeout: 10 * SECOND_MS });
  const now = Date.now();
  const insertUser = database.prepare(
    "INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at) VALUES (?, ?, ?, 'Crowd', '', ?, ?)",
  );
  const insertLink = database.prepare(
    'INSERT INTO telegram_links (user_id, handle, chat_id, connected_at, updated_at) VALUES (?, ?, ?, ?, ?)',
  );
  const insertFollow = database.prepare(
    "INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at) VALUES (?, ?, ?, ?, ?, 'active', ?)",
  );
  database.exec('BEGIN IMMEDIATE');
  for (const { chatId, handle } of chats) {
    const id = randomUUID();
    insertUser.run(id, `crowd ${chatId}`, handle, now, now);
    insertLink.run(id, handle, String(chatId), now, now);
    insertFollow.run(randomUUID(), id, callerId, now, now + 30 * 24 * 60 * 60 * SECOND_MS, now);
  }
  database.exec('COMMIT');
  database.close();
}

try {
  const cookie = await signIn(CALLER);
  const ask = async <Answer>(path: string, init: RequestInit = {}): Promise<Answer> => {
    const answer = await fetch(`${productUrl}${path}`, {
      ...init,
      headers: { Cookie: cookie, 'Content-Type': 'application/json' },
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  const { id: callerId } = await ask<{ id: string }>('/api/auth/user');
  const [call] = await ask<{ id: string }[]>(`/api/token-calls/caller/${callerId}/active`);
  if (!call) throw new Error(`@${CALLER} has no active call`);

  const open = (body: object) => control<LocalChat[]>('POST', '/telegram/chats', body);
  const reachable = await open({ count: recipients - blocked, prefix: 'crowd' });
  follow({
    callerId,
    chats: [...reachable, ...(await open({ count: blocked, prefix: 'gone', isBlocked: true }))],
  });
  await control('POST', '/telegram/send-limits', {
    perSecond: TAKEN_PER_SECOND,
    tooManyShare: 0.1,
    retryAfterSeconds: 2,
  });

  const startedAt = Date.now();
  await ask('/api/telegram/send-update', {
    method: 'POST',
    body: JSON.stringify({ callId: call.id, message: 'Take half off.' }),
  });
  let told = 0;
  let lastAt = startedAt;
  while (Date.now() - lastAt < QUIET_MS) {
    await pause(POLL_MS);
    const counts = await control<Record<string, number>>('GET', '/messages/counts');
    const sum = Object.values(counts).reduce((all, count) => all + count, 0);
    if (sum > told) lastAt = Date.now();
    told = sum;
  }
  const counts = Object.values(await control<Record<string, number>>('GET', '/messages/counts'));
  const [{ id: _, ...log } = { id: '' }] = await ask<({ id: string } & Record<string, unknown>)[]>(
    '/api/telegram/deliveries?limit=1',
  );
  const wall = (lastAt - startedAt) / SECOND_MS;
  const fastest = recipients / BROADCASTS_PER_SECOND;
  console.table([
    {
      recipients,
      blocked,
      told: counts.length,
      twice: counts.filter((count) => count > 1).length,
      'wall s': Number(wall.toFixed(1)),
      'fastest s': fastest,
      ratio: Number((wall / fastest).toFixed(3)),
    },
  ]);
  console.log('As the caller sees it:', log);
} finally {
  await product.close();
  rmSync(dataDir, { recursive: true, force: true });
}
