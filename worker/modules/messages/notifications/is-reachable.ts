import { sql, type SQL } from 'drizzle-orm';

export const isReachable = (userId: SQL) => sql<0 | 1>`
  (EXISTS (SELECT 1 FROM telegram_links WHERE user_id = ${userId} AND chat_id IS NOT NULL)
  OR EXISTS (SELECT 1 FROM push_devices WHERE user_id = ${userId})
  OR EXISTS (SELECT 1 FROM webhooks WHERE user_id = ${userId}))`;
