import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from '#dev/settings.ts';
import { test } from './fixtures.ts';
import { e2eSettings } from './settings.ts';

const PROGRAMS = ['bot.ts', 'webhook-receiver.ts'];
const GENERATOR = join(root, 'node_modules/openapi-typescript/bin/cli.js');
/** TypeScript 5, as the documentation says. */
const COMPILER = join(
  dirname(
    createRequire(createRequire(import.meta.url).resolve('ts-json-schema-generator')).resolve('typescript'),
  ),
  '../bin/tsc',
);

test('the example bot and webhook receiver compile with types generated from the OpenAPI document', () => {
  const folder = join(root, '.cache/bot');
  mkdirSync(folder, { recursive: true });
  for (const file of PROGRAMS) copyFileSync(join(root, 'dev/examples', file), join(folder, file));
  const run = (...command: string[]) =>
    execFileSync(process.execPath, command, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  const document = `${e2eSettings.productUrl}/api/openapi.json`;
  run('--import', join(root, 'e2e/typescript-5.mjs'), GENERATOR, document, '--output', 'api.d.ts');
  run(
    COMPILER,
    ...'--noEmit --strict --module nodenext --target esnext --allowImportingTsExtensions --types node'.split(
      ' ',
    ),
    ...PROGRAMS,
  );
});
