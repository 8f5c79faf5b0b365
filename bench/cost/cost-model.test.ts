import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '#dev/settings.ts';
import { renderTables } from './cost-model.ts';

const scale = readFileSync(join(root, 'docs/SCALE.md'), 'utf8');

it.each(renderTables().map((table, place) => [place + 1, table] as const))(
  'table %i of docs/SCALE.md equals the cost model’s output',
  (_, table) => expect(scale).toContain(table),
);
