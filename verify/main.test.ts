import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Author, HOUR, MINUTE, WALLET } from './test-support/history.ts';
import { serve } from './test-support/serve.ts';
import { Server } from './test-support/server.ts';

// The command line, against a site and a chain over HTTP.

const author = new Author(1);
author.world.now = Date.now() - 24 * HOUR;
author.name('amara');
author.anchor();
const call = author.open('amara', { unranked: null });
author.anchor();
author.wait(HOUR);
author.close(call, 2);
author.anchor();
author.world.now = Date.now();
author.anchor(0);

let state = '';
beforeAll(() => {
  state = mkdtempSync(join(tmpdir(), 'verify-'));
});
afterAll(() => rmSync(state, { recursive: true, force: true }));

async function run(server: Server, args: readonly string[]): Promise<{ code: number; output: string }> {
  const { origin, close } = await serve(server);
  const main = join(import.meta.dirname, 'main.ts');
  const flags = ['--disable-warning=ExperimentalWarning', main, '--origin', origin, '--rpc', `${origin}/rpc`];
  return new Promise((resolve) => {
    execFile(process.execPath, [...flags, '--state', state, ...args], (error, stdout, stderr) => {
      close();
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

it('the command-line verifier checks a caller, a leaderboard and all callers', async () => {
  const first = await run(new Server(author.world), ['@amara']);
  expect(first.output).toContain(
    '1 call. None missing, none changed.\nSolana confirms each to within 15 minutes.\n',
  );
  expect(first.output).toContain(`Anchor wallet: ${WALLET}\nConfirmed.\n`);
  expect(first.code).toBe(0);
  for (const args of [['--leaderboard', 'proven'], ['--all']]) {
    const { code, output } = await run(new Server(author.world), args);
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('1 caller, 1 call.') });
    // The first run has stored the log's position.
    expect(output).not.toContain('for the first time');
  }
});

it('the command-line verifier exits with 1 for a wrong record and with 2 for a record to check again later', async () => {
  const wrong = new Server(author.world).change(/^\/api\/callers\/amara$/, (profile: object) => ({
    ...profile,
    winRate: 3,
  }));
  expect(await run(wrong, ['amara'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('[figure_differs]'),
  });
  expect(await run(new Server(author.world), ['nobody'])).toMatchObject({
    code: 2,
    output: expect.stringMatching(/doesn’t know [^]*Not confirmed: the check couldn’t be finished\./),
  });
  // A cached response may lack the text of a new name.
  const named = new Author(2);
  named.world.now = Date.now() - MINUTE;
  named.name('amara');
  named.world.now = Date.now();
  const newer = new Server(named.world).change(/^\/log\/texts/, () => []);
  const { code, output } = await run(newer, ['amara', '--state', join(state, 'other')]);
  expect({ code, output }).toMatchObject({
    code: 2,
    output: expect.stringContaining('Try again in some minutes.'),
  });
});

it.each([
  [[], 'Name one caller'],
  [['amara', '--all'], 'Name one caller'],
  [['--leaderboard', 'fee'], '--leaderboard needs one of'],
  [['--leaderboard', 'afterFee'], 'aren’t in the log'],
  [['amara', '--origin', 'example.com'], '--origin must be a site'],
  [['amara', '--what'], '--what'],
])('the command-line verifier explains wrong arguments %j', async (args, message) => {
  expect(await run(new Server(author.world), args)).toMatchObject({
    code: 64,
    output: expect.stringContaining(message),
  });
});

it('the command-line verifier doesn’t print control characters that the site sent', async () => {
  const lying = new Server(author.world).change(/^\/api\/callers\/amara$/, (profile: object) => ({
    ...profile,
    firstName: '\u001B[2J\u001B[HNothing is wrong.\n',
  }));
  const { code, output } = await run(lying, ['amara']);
  expect(code).toBe(1);
  expect(output).toContain('Nothing is wrong.\uFFFD');
  expect(output).not.toContain('\u001B');
});
