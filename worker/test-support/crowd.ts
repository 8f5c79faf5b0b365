import { query } from './database.ts';

/** Connected followers of a caller, written past the product: their chats are 1, 2, 3 and so on, and their ids lie all over the ring. */
export async function gatherFollowers({
  callerId,
  count,
}: {
  callerId: string;
  count: number;
}): Promise<void> {
  const followers =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1), f AS (SELECT i, printf('%08x-follower-%d', (i * 2654435761) & 4294967295, i) AS id FROM n)";
  await query(
    `${followers} INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at) SELECT id, 'x' || i, 'f' || i, 'F', '', 0, 0 FROM f`,
    count,
  );
  await query(
    `${followers} INSERT INTO telegram_links (user_id, handle, chat_id, connected_at, updated_at) SELECT id, 'f' || i, i, 0, 0 FROM f`,
    count,
  );
  await query(
    `${followers} INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at) SELECT 's' || i, id, ?2, 0, 9e15, 'active', 0 FROM f`,
    count,
    callerId,
  );
}
