import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../settings.ts';

const QUOTA = /^(?:export )?const (\w+_PER_RUN) = /gm;

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

it('docs/SCALE.md names each quota of a run: add it to "Quotas of a cron run"', () => {
  const rows = read('docs/SCALE.md').split('\n');
  const files = globSync(['worker/**/*.ts', 'schema/constants/*.ts'], {
    cwd: root,
    exclude: ['worker/test-support/**'],
  });
  const quotas = files.flatMap((file) =>
    [...read(file).matchAll(QUOTA)].map(([, name = '']) => ({ file: basename(file), name })),
  );
  expect(quotas.length).toBeGreaterThan(20);
  const unnamed = quotas.filter(
    ({ file, name }) =>
      !rows.some(
        (row) =>
          row.includes(`\`${name}\``) && row.includes(file.replace(/\.(service|repository)?\.?ts$/, '')),
      ),
  );
  expect(unnamed).toEqual([]);
});
