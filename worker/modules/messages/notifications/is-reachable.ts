import { sql, type SQL } from 'drizzle-orm';

/** SQL expression that is 1 if the user has connected a chat, a browser or a webhook. */
export const isReachable = (userId: SQL) => sql<0 | 1>`
  (EXISTS (SELECT 1 FROM telegram_links WHERE user_id = ${userId} AND chat_id IS NOT NULL)
  OR EXISTS (SELECT 1 FROM push_devices WHERE user_id = ${userId})
  OR EXISTS (SELECT 1 FROM webhooks WHERE user_id = ${userId}))`;
