import { query } from '../database/database.ts';

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
  const followers =
    "WITH RECURSIVE n(i) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?2), f AS (SELECT i, printf('%08x-follower-%d', (i * 2654435761) & 4294967295, i) AS id FROM n)";
  await query(
    `${followers} INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at) SELECT id, 'x' || i, 'f' || i, 'F', '', 0, 0 FROM f`,
    first,
    first + count - 1,
  );
  await query(
    `${followers} INSERT INTO telegram_links (user_id, handle, chat_id, connected_at, updated_at) SELECT id, 'f' || i, i, 0, 0 FROM f`,
    first,
    first + count - 1,
  );
  await query(
    `${followers} INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at) SELECT 's' || i, id, ?3, 0, 9e15, 'active', 0 FROM f`,
    first,
    first + count - 1,
    callerId,
  );
}
