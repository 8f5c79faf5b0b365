import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

interface Source {
  readonly file: string;
  readonly text: string;
}

const sources: readonly Source[] = globSync('worker/modules/**/*.ts', {
  cwd: root,
  exclude: ['**/*.test.ts', '**/*.test-model.ts'],
}).map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

const filesWith = (pattern: RegExp, where: readonly Source[]) =>
  where.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

const RAW_SQL = /^import \{[^}]*\bsql\b[^}]*\} from 'drizzle-orm';/m;

it('only repositories of modules write SQL', () => {
  const planted = {
    file: 'planted.service.ts',
    text: "import { eq, sql, type SQL } from 'drizzle-orm';\nconst count = sql<number>`COUNT(*)`;",
  };
  const others = sources.filter(({ file }) => !file.endsWith('.repository.ts'));
  expect(others.length).toBeGreaterThan(150);
  expect(filesWith(RAW_SQL, [...others, planted])).toEqual(['planted.service.ts']);
});

const PICKED = /\bPick<\s*\w*(?:Service|Services|Repository|Guard|Checks)\b/;

it('modules take a service, repository or check whole, not a list of its functions', () => {
  const planted = {
    file: 'planted.service.ts',
    text: "interface Options {\n  readonly calls: Pick<\n    CallsService,\n    'getEnded'\n  >;\n}",
  };
  expect(filesWith(PICKED, [...sources, planted])).toEqual(['planted.service.ts']);
});
