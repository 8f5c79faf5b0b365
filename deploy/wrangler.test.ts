import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createWrangler, CommandError } from './wrangler.ts';

/** Runs this script in place of wrangler. */
function wranglerWith(script: string) {
  const file = join(mkdtempSync(join(tmpdir(), 'solcallers-wrangler-')), 'wrangler.mjs');
  writeFileSync(file, script);
  return createWrangler(file);
}

it('createWrangler runs wrangler with the arguments and returns its standard output', async () => {
  const wrangler = wranglerWith('console.error("noise"); console.log(process.argv.slice(2).join(" "))');
  expect(await wrangler('d1', 'list')).toBe('d1 list\n');
});

it('createWrangler throws an error with all output if wrangler fails', async () => {
  const wrangler = wranglerWith('console.log("first"); console.error("then"); process.exitCode = 1');
  const error: unknown = await wrangler('versions', 'deploy').catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(CommandError);
  expect(error).toMatchObject({
    output: expect.stringMatching(/first[^]*then|then[^]*first/),
    message: expect.stringContaining('wrangler versions deploy failed'),
  });
});
