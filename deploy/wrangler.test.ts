import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWrangler, WranglerError } from './wrangler.ts';

/** Wrangler with this script in its place. */
function wranglerWith(script: string) {
  const file = join(mkdtempSync(join(tmpdir(), 'solcallers-wrangler-')), 'wrangler.mjs');
  writeFileSync(file, script);
  return createWrangler(file);
}

describe('wrangler', () => {
  it('gets the arguments, and its standard output is the answer', async () => {
    const wrangler = wranglerWith('console.error("noise"); console.log(process.argv.slice(2).join(" "))');
    expect(await wrangler.run('d1', 'list')).toBe('d1 list\n');
  });

  it('that fails throws an error with all its output', async () => {
    const wrangler = wranglerWith('console.log("first"); console.error("then"); process.exitCode = 1');
    const error: unknown = await wrangler.run('versions', 'deploy').catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(WranglerError);
    expect(error).toMatchObject({
      output: expect.stringMatching(/first[^]*then|then[^]*first/),
      message: expect.stringContaining('wrangler versions deploy failed'),
    });
  });

  it('writes records to a file', async () => {
    const wrangler = wranglerWith(`
      import { writeFileSync } from 'node:fs';
      writeFileSync(process.env.WRANGLER_OUTPUT_FILE_PATH, '{"type":"version-upload"}\\n');`);
    expect(await wrangler.runForRecords('versions', 'upload')).toEqual([{ type: 'version-upload' }]);
  });

  it('that is watched is stopped in the end, which is no failure', async () => {
    const wrangler = wranglerWith('console.log("event"); setInterval(() => {}, 1_000)');
    expect(await wrangler.watch(500, 'tail')).toMatch(/^(event\n)?$/);
  });
});
