import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { root } from '#dev/settings.ts';
import type { CreatedApiKey } from '#schema/contracts/api-keys.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import type { CreatedWebhook } from '#schema/contracts/webhooks.ts';
import { UNLISTED_MINT } from '#dev/stand-ins/market/tokens.ts';
import { expect, test } from './fixtures.ts';
import { FAILURES, startFlakyProxy } from './flaky-proxy.ts';
import { controlUrl, e2eSettings, isDeep } from './settings.ts';
import { becomeCaller, pinPrice, signInByScript } from './steps.ts';

const PROGRAMS = {
  TypeScript: { bot: 'bot.ts', receiver: 'webhook-receiver.ts', command: process.execPath },
  Python: { bot: 'bot.py', receiver: 'webhook_receiver.py', command: 'python3' },
} as const;
const STARTS = {
  'bot.ts': 'import createClient',
  'webhook-receiver.ts': 'import { createHmac',
  'bot.py': 'import json\nimport os\nimport time\nfrom datetime',
  'webhook_receiver.py': 'import base64',
};
const FAILURE_COUNT = isDeep ? 200 : 12;

/** All receivers listen on the same port. */
test.describe.configure({ mode: 'default' });

/** Saves the programs that the page shows in a new folder, which the page's first two commands prepare. */
async function typeProgramsFromPage(page: Page, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await page.goto('/api/docs/bot');
  const blocks = await page.locator('pre code').allTextContents();
  const commands =
    blocks
      .find((block) => block.startsWith('npm init'))
      ?.split('\n')
      .slice(0, 2) ?? [];
  for (const command of commands) execFileSync(command, { cwd: folder, shell: true });
  for (const [file, start] of Object.entries(STARTS)) {
    writeFileSync(join(folder, file), blocks.find((block) => block.includes(start)) ?? '');
  }
}

interface Start {
  readonly command: string;
  readonly file: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

function start({ command, file, folder, env }: Start) {
  const program = spawn(command, [file], { cwd: folder, env: { ...process.env, ...env } });
  let output = '';
  const collect = (chunk: Buffer) => void (output += chunk.toString());
  program.stdout.on('data', collect);
  program.stderr.on('data', collect);
  return { program, output: () => output };
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  program.kill('SIGKILL');
  await once(program, 'exit');
}

/** Pins the price at one source only, so that the sources disagree. */
async function pinAtOneSource(mint: string, price: number): Promise<void> {
  const data = { mint, price, source: 'jupiter' };
  const headers = { 'Content-Type': 'application/json' };
  await fetch(`${controlUrl}/prices`, { method: 'POST', headers, body: JSON.stringify(data) });
}

for (const [language, { bot: botFile, receiver: receiverFile, command }] of Object.entries(PROGRAMS)) {
  test(`the bot in ${language} executes its stop in spite of failures and a restart, and the receiver gets each message once`, async ({
    openBrowser,
  }) => {
    test.setTimeout(isDeep ? 900_000 : 180_000);
    const folder = join(root, `.cache/programs-${language}-${e2eSettings.port}`);
    const proxy = await startFlakyProxy(e2eSettings.productUrl);
    const programs: ChildProcess[] = [];
    const run = (file: string, env: Readonly<Record<string, string>>) => {
      const started = start({ command, file, folder, env });
      programs.push(started.program);
      return started;
    };
    try {
      const caller = await openBrowser();
      await typeProgramsFromPage(caller, folder);
      await pinPrice(UNLISTED_MINT, 0.5);
      const handle = `bot_${language.slice(0, 2)}`;
      await signInByScript(caller.context().request, handle);
      await becomeCaller(caller.request);
      const { id } = (await (await caller.request.get('/api/auth/user')).json()) as CurrentUser;
      const made = await caller.request.post('/api/user/api-keys', { data: { name: 'Bot', mayCall: true } });
      const { key } = (await made.json()) as CreatedApiKey;

      const follower = await openBrowser();
      await signInByScript(follower.context().request, `${handle}_fan`);
      await follower.request.post('/api/subscriptions/free', { data: { callerId: id } });
      const url = 'http://localhost:8799/hook';
      const saved = await follower.request.put('/api/user/webhook', { data: { url } });
      expect(saved.status(), await saved.text()).toBe(200);
      const { secret } = (await saved.json()) as CreatedWebhook;
      const receiver = run(receiverFile, { WEBHOOK_SECRET: secret });

      const env = {
        SOLCALLERS_URL: proxy.url,
        SOLCALLERS_KEY: key,
        HANDLE: handle,
        MINT: UNLISTED_MINT,
        POLL_SECONDS: '0.3',
      };
      const failuresOf = (length: number) =>
        Array.from({ length }, (_, number) => FAILURES[number % FAILURES.length] ?? 'cut');
      proxy.failures.push(...failuresOf(FAILURE_COUNT / 2));
      proxy.writeFailures.push('down', 'lost');
      const first = run(botFile, env);
      await expect.poll(first.output, { timeout: 120_000 }).toContain(' at 0.5: http');
      await expect.poll(receiver.output, { timeout: 60_000 }).toContain('call.opened');

      await pinPrice(UNLISTED_MINT, 0.7);
      await expect.poll(first.output, { timeout: 60_000 }).toContain('0%');

      await pinPrice(UNLISTED_MINT, 0.43);
      await pinAtOneSource(UNLISTED_MINT, 0.4);
      await expect.poll(first.output, { timeout: 90_000 }).toContain('prices.disagree');
      await end(first.program);
      proxy.failures.push(...failuresOf(FAILURE_COUNT / 2));
      const second = run(botFile, env);
      await expect.poll(second.output, { timeout: 90_000 }).toContain('prices.disagree');
      await expect.poll(() => proxy.failures, { timeout: 240_000 }).toEqual([]);
      expect(second.program.exitCode).toBeNull();
      // The first requests to end the call fail, too. Of one of them only the response is lost.
      proxy.writeFailures.push('down', 'cut', 'half', 'lost', 'lost', 'lost');
      await pinPrice(UNLISTED_MINT, 0.4);
      await expect.poll(second.output, { timeout: 240_000 }).toContain('Ended at 0.4.');
      if (second.program.exitCode === null) await once(second.program, 'exit');
      expect(second.program.exitCode).toBe(0);
      expect(proxy.injected).toBeGreaterThanOrEqual(FAILURE_COUNT);
      test.info().annotations.push({ type: 'failures', description: String(proxy.injected) });

      const third = run(botFile, env);
      await expect.poll(third.output, { timeout: 60_000 }).toContain('Ended at 0.4.');
      const calls = (await (await caller.request.get(`/api/token-calls/caller/${id}`)).json()) as unknown[];
      expect(calls).toHaveLength(1);
      await expect.poll(receiver.output, { timeout: 60_000 }).toContain('call.ended');
      expect(receiver.output().match(/^call\.\w+/gm)).toEqual(['call.opened', 'call.ended']);
    } finally {
      await Promise.all(programs.map(end));
      proxy.close();
    }
  });
}

test('the bot takes a gain as soon as it counts', async ({ openBrowser }) => {
  const folder = join(root, `.cache/programs-gain-${e2eSettings.port}`);
  const proxy = await startFlakyProxy(e2eSettings.productUrl);
  const caller = await openBrowser();
  await typeProgramsFromPage(caller, folder);
  await pinPrice(UNLISTED_MINT, 0.5);
  await signInByScript(caller.context().request, 'bot_gain');
  await becomeCaller(caller.request);
  const made = await caller.request.post('/api/user/api-keys', { data: { name: 'Bot', mayCall: true } });
  const { key } = (await made.json()) as CreatedApiKey;
  const env = {
    SOLCALLERS_URL: proxy.url,
    SOLCALLERS_KEY: key,
    HANDLE: 'bot_gain',
    MINT: UNLISTED_MINT,
    POLL_SECONDS: '0.3',
  };
  const bot = start({ command: 'python3', file: 'bot.py', folder, env });
  try {
    await expect.poll(bot.output).toContain(' at 0.5: http');
    await pinPrice(UNLISTED_MINT, 0.7);
    await expect.poll(bot.output, { timeout: 60_000 }).toContain('calls.gain_not_counted');
    proxy.isLater = true;
    await expect.poll(bot.output, { timeout: 30_000 }).toContain('Ended at 0.7.');
  } finally {
    await end(bot.program);
    proxy.close();
  }
});
