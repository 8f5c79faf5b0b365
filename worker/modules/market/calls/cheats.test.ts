import { beforeEach, describe, expect, inject, it } from 'vitest';
import { RATE_SORTS } from '#schema/constants/market.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import document from '../../../../docs/decisions/033-cheats.md?raw';
import { COUNTS, createCheatEnvironment, type CheatEnvironment } from '#test/people/cheat-environment.ts';
import { cheats } from '#test/people/cheats.ts';
import { control } from '#test/test-app.ts';

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
/** `npm test` plays a tenth of the cheats, `npm run test:deep` all. */
const played = cheats.filter((_cheat, index) => inject('isDeep') || index % 10 === 0);

describe('among honest callers', () => {
  let environment: CheatEnvironment;

  it('docs/decisions/033-cheats.md lists each cheat once', () => {
    const rows = cheats.map(({ name }) =>
      document.split('\n').filter((line) => line.startsWith(`| ${name} |`)),
    );
    expect(rows.filter((found) => found.length !== 1)).toEqual([]);
  });

  beforeEach(async () => {
    environment = await createCheatEnvironment();
    const { honest, modest, cheat, fresh } = environment;
    for (const [index, person] of [honest, modest, cheat, fresh].entries()) {
      const places = await environment.placesOf(person, [...RATE_SORTS, ...COUNTS]);
      expect(places).toEqual(places.map(() => index + 1));
    }
  });

  it.each(played)(
    'a cheat improves a caller’s place in the directory only where docs/decisions/033-cheats.md says so: $name',
    async ({ name, by = 'cheat', play, costUsd = 0, orders = RATE_SORTS, climbs = [] }) => {
      const before = await environment.placesOf(environment[by], orders);
      await play(environment, environment[by]);
      await control('DELETE', '/faults');
      await environment.app.advance(3 * MINUTE_MS);
      const after = await environment.placesOf(environment[by], orders);
      const isHigher = (_order: string, index: number) => (after[index] ?? 0) < (before[index] ?? 0);
      expect(orders.filter(isHigher)).toEqual(climbs);
      const others = orders.filter((order) => !climbs.includes(order));
      expect(await environment.placesOf(environment.honest, others)).toEqual(others.map(() => 1));
      const row = `| ${name} | ${grouped.format(costUsd)} | ${before.join('/')} | ${after.join('/')} |`;
      expect(document.split('\n').find((line) => line.startsWith(`| ${name} |`))).toBe(row);
    },
  );
});
