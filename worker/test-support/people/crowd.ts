import { runScript } from '../database/run-script.ts';

interface Crowd {
  readonly callerId: string;
  readonly count: number;
  /** The chat id of the first follower. */
  readonly first?: number;
}

/**
 * Inserts connected followers directly. Their chat ids are consecutive from `first`; their user ids are in another
 * order.
 */
export async function gatherFollowers({ callerId, count, first = 1 }: Crowd): Promise<void> {
  const id = "printf('%08x-follower-%d', (i * 2654435761) & 4294967295, i)";
  await runScript(
    `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
    SELECT ${id}, 'x' || i, 'f' || i, 'F', '', 0, 0 FROM n;
    INSERT INTO telegram_links (user_id, handle, chat_id, connected_at, updated_at)
    SELECT ${id}, 'f' || i, i, 0, 0 FROM n;
    INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at)
    SELECT 's' || i, ${id}, '${callerId}', 0, 9e15, 'active', 0 FROM n;`,
    { from: first, count },
  );
}
