import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';

/** RPC endpoints that don't respond or lag. A row is deleted when its endpoint works again. */
export const endpointOutages = sqliteTable('endpoint_outages', {
  endpoint: text('endpoint').primaryKey(),
  since: timestamp('since').notNull(),
  alarmedAt: timestamp('alarmed_at'),
});
