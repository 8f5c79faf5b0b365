import { beforeEach, describe, expect, inject, it } from 'vitest';
import { MINUTE_MS } from '#schema/constants/time.ts';
import document from '../../../../docs/decisions/033-cheats.md?raw';
import {
  createCheatEnvironment,
  ORDERS,
  type CheatEnvironment,
  type Places,
} from '#test/people/cheat-environment.ts';
import { cheats } from '#test/people/cheats.ts';
import { control } from '#test/test-app.ts';

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
/** `npm test` plays a tenth of the cheats, `npm run test:deep` all. */
const played = cheats.filter((_cheat, index) => inject('isDeep') || index % 10 === 0);
const listed = (places: Places) => ORDERS.map((order) => places[order]).join('/');

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
      expect(listed(await environment.placesOf(person))).toBe(
        Array(3)
          .fill(index + 1)
          .join('/'),
      );
    }
  });

  it.each(played)(
    'a cheat improves a caller’s place in the directory only where docs/decisions/033-cheats.md says so: $name',
    async ({ name, by = 'cheat', play, costUsd = 0, climbs = [] }) => {
      const before = await environment.placesOf(environment[by]);
      await play(environment, environment[by]);
      await control('DELETE', '/faults');
      await environment.app.advance(3 * MINUTE_MS);
      const after = await environment.placesOf(environment[by]);
      const row = `| ${name} | ${grouped.format(costUsd)} | ${listed(before)} | ${listed(after)} |`;
      expect(ORDERS.filter((order) => after[order] < before[order])).toEqual(climbs);
      const honest = await environment.placesOf(environment.honest);
      for (const order of ORDERS) if (!climbs.includes(order)) expect(honest[order], order).toBe(1);
      expect(document.split('\n').find((line) => line.startsWith(`| ${name} |`))).toBe(row);
    },
  );
});
