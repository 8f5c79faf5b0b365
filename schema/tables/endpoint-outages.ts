import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { moment } from './columns.ts';

/** RPC endpoints that don't answer or lag. A row is deleted when its endpoint works again. */
export const endpointOutages = sqliteTable('endpoint_outages', {
  endpoint: text('endpoint').primaryKey(),
  since: moment('since').notNull(),
  alarmedAt: moment('alarmed_at'),
});
