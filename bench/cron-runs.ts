import type { MeasuredProduct } from './support/measured-product.ts';
import { spreadOf, type Result } from './results.ts';

const RUNS = 3;

/** In a new world, many reminders are due at once. After these runs, they are sent. */
const FIRST_RUNS = 15;

/** Counts the rows of whole runs of the cron. */
export async function measureCron({ product }: { product: MeasuredProduct }): Promise<Result[]> {
  for (let run = 0; run < FIRST_RUNS; run++) await product.runCron();
  await product.readCounts();
  const rows: number[] = [];
  const written: number[] = [];
  const kvReads: number[] = [];
  const queries: number[] = [];
  const kvWrites: number[] = [];
  const seconds: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const startedAt = performance.now();
    await product.runCron();
    seconds.push((performance.now() - startedAt) / 1000);
    const counts = await product.readCounts();
    rows.push(counts.rowsRead);
    written.push(counts.rowsWritten);
    kvReads.push(counts.kvReads);
    queries.push(counts.queries);
    kvWrites.push(counts.kvWrites);
  }
  const common = { floor: '', goal: null, isMet: null };
  return [
    {
      ...common,
      id: 'cron.run',
      what: 'one run of all jobs',
      value: spreadOf(rows),
      unit: 'rows read',
      work: {
        queries: spreadOf(queries).median,
        rowsRead: spreadOf(rows).median,
        rowsWritten: spreadOf(written).median,
        kvReads: spreadOf(kvReads).median,
      },
    },
    { ...common, id: 'cron.written', what: 'the same runs', value: spreadOf(written), unit: 'rows written' },
    { ...common, id: 'cron.kv-writes', what: 'the same runs', value: spreadOf(kvWrites), unit: 'KV writes' },
    { ...common, id: 'cron.seconds', what: 'the same runs', value: spreadOf(seconds), unit: 's' },
  ];
}
