import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

export interface BackOff {
  readonly createdAt: SQLWrapper;
  /** In ms; the last one repeats. */
  readonly pausesMs: readonly number[];
  readonly now: number;
}

/** SQL for the time when a row is due again. The row's age decides which pause comes next, so no counter is stored. */
export function nextRetrySql({ createdAt, pausesMs, now }: BackOff): SQL {
  let endsAfter = 0;
  const cases = pausesMs.slice(0, -1).map((pause) => {
    endsAfter += pause;
    return sql`WHEN ${createdAt} > ${now - endsAfter} THEN ${now + pause}`;
  });
  return sql`CASE ${sql.join(cases, sql` `)} ELSE ${now + (pausesMs.at(-1) ?? 0)} END`;
}
