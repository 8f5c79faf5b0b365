import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '#dev/settings.ts';
import type { CreatedApiKey } from '#schema/contracts/api-keys.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import type { CreatedWebhook } from '#schema/contracts/webhooks.ts';
import { UNLISTED_MINT } from '#dev/stand-ins/market/tokens.ts';
import { expect, test } from './fixtures.ts';
import { e2eSettings } from './settings.ts';
import { becomeCaller, pinPrice, signInByScript } from './steps.ts';

/** Starts a program of dev/examples as the documentation says. */
function start(file: string, env: Readonly<Record<string, string>>) {
  const program = spawn(process.execPath, [join(root, 'dev/examples', file)], {
    env: { ...process.env, ...env },
  });
  let output = '';
  const collect = (chunk: Buffer) => void (output += chunk.toString());
  program.stdout.on('data', collect);
  program.stderr.on('data', collect);
  return { program, output: () => output };
}

test('the example bot opens and ends a call, and the example webhook receiver gets both events', async ({
  openBrowser,
}) => {
  const programs: ChildProcess[] = [];
  try {
    const caller = await openBrowser();
    await pinPrice(UNLISTED_MINT, 0.4);
    await signInByScript(caller.context().request, 'bot_owner');
    await becomeCaller(caller.request);
    const { id } = (await (await caller.request.get('/api/auth/user')).json()) as CurrentUser;
    const made = await caller.request.post('/api/user/api-keys', { data: { name: 'Bot', mayCall: true } });
    const { key } = (await made.json()) as CreatedApiKey;

    const follower = await openBrowser();
    await signInByScript(follower.context().request, 'bot_follower');
    await follower.request.post('/api/subscriptions/free', { data: { callerId: id } });
    const url = 'http://127.0.0.1:8799/hook';
    const saved = await follower.request.put('/api/user/webhook', { data: { url } });
    expect(saved.status(), await saved.text()).toBe(200);
    const { secret } = (await saved.json()) as CreatedWebhook;
    const receiver = start('webhook-receiver.ts', { WEBHOOK_SECRET: secret });
    programs.push(receiver.program);

    const bot = start('bot.ts', {
      SOLCALLERS_URL: e2eSettings.productUrl,
      SOLCALLERS_KEY: key,
      HANDLE: 'bot_owner',
      MINT: UNLISTED_MINT,
      POLL_SECONDS: '1',
    });
    programs.push(bot.program);
    await expect.poll(bot.output).toContain(' at 0.4: http');
    await expect.poll(receiver.output).toContain('call.opened');
    await pinPrice(UNLISTED_MINT, 0.6);
    await expect.poll(bot.output, { timeout: 40_000 }).toContain('Ended at 0.6.');
    if (bot.program.exitCode === null) await once(bot.program, 'exit');
    expect(bot.program.exitCode).toBe(0);
    await expect.poll(receiver.output).toContain('call.ended');
  } finally {
    for (const program of programs) program.kill();
  }
});
