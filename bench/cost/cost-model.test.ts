import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '#dev/settings.ts';
import { CEILINGS, renderCeilings } from './ceilings.ts';
import { renderTables } from './cost-model.ts';

const scale = readFileSync(join(root, 'docs/SCALE.md'), 'utf8');

it.each([...renderTables(), renderCeilings()].map((table, place) => [place + 1, table] as const))(
  'table %i of docs/SCALE.md equals the cost model’s output',
  (_, table) => expect(scale).toContain(table),
);

const sources = CEILINGS.flatMap(({ source }) => (typeof source === 'string' ? [] : [source]));

it.each(sources)('the limit of the ceilings’ table is that of $name in $file', ({ file, name, value }) => {
  const [, found] =
    new RegExp(`const ${name} = ([\\d_]+);`).exec(readFileSync(join(root, file), 'utf8')) ?? [];
  expect(Number(found?.replaceAll('_', ''))).toBe(value);
});
