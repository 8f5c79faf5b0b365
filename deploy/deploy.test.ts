import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readMigrations } from '#dev/build/migrations.ts';
import { StepFailure } from './failure.ts';
import type { ServiceResult } from './services/check-services.ts';
import { BOT, NEW_ACCOUNT, SECRETS, fakeDeploy } from './test-support/fake-deploy.ts';

const needed = readMigrations().map(({ name }) => name);
const UPLOADED = ['d1 migrations apply solcallers-production', 'versions upload'];

function secretsFile(lines: readonly string[] = []): string {
  const file = join(mkdtempSync(join(tmpdir(), 'solcallers-secrets-')), 'secrets');
  const secrets = [
    'X_CLIENT_SECRET=secret',
    `X_TOKENS_KEY=${btoa('k'.repeat(32))}`,
    `X_IDS_KEY=${btoa('i'.repeat(32))}`,
    `LOG_PRIVATE_KEY=${btoa('l'.repeat(32))}`,
    `LOG_ANCHOR_KEY=${btoa('a'.repeat(32))}`,
    'SOLANA_RPC_URL=https://one.example/key',
    'SOLANA_FALLBACK_RPC_URL=https://other.example/key',
    'TELEGRAM_BOT_TOKEN=1:token',
    'TELEGRAM_WEBHOOK_SECRET=0123456789abcdef',
    `VAPID_KEY=${generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')}`,
  ];
  writeFileSync(file, [...secrets, ...lines].join('\n'));
  return file;
}

it('a deploy migrates the database, then tests the new version, then routes all requests to the new version', async () => {
  const { changes, lines, error, versions } = await fakeDeploy();
  expect(error).toBeNull();
  expect(changes).toEqual([
    ...UPLOADED,
    'versions deploy new@0% old@100%',
    'versions deploy new@100%',
    'triggers deploy',
  ]);
  expect(versions).toEqual([{ version_id: 'new', percentage: 100 }]);
  expect(lines).toEqual([
    'account: logged in. old runs.',
    'bot: not checked, because TELEGRAM_BOT_TOKEN is not set in your shell.',
    'services: all that could be checked fit.',
    expect.stringMatching(/^configuration: \d+ variables and \d+ secrets are set\.$/),
    'build: done.',
    'migrations: 1 applied.',
    'smoke test: version new works. It gets no visitors yet.',
    'release: the new version gets all requests, and the smoke test passes.',
    'triggers: domain and cron are set.',
    'Deployed to https://calls.test.',
    expect.stringContaining('npx wrangler rollback old --name solcallers-production'),
  ]);
});

it('a deploy succeeds after an interrupted deploy, and with a database that has newer migrations', async () => {
  const versions = [
    { version_id: 'stopped', percentage: 0 },
    { version_id: 'old', percentage: 100 },
  ];
  const { changes, error } = await fakeDeploy({
    account: { versions, applied: [...needed, '0099_newer_00000000.sql'] },
  });
  expect(error).toBeNull();
  expect(changes.slice(0, 2)).toEqual(['versions upload', 'versions deploy new@0% old@100%']);
});

it('the first deploy creates the database and sets the secrets', async () => {
  const { changes, error, lines } = await fakeDeploy({ account: NEW_ACCOUNT, secretsFile: secretsFile() });
  expect(error).toBeNull();
  expect(changes).toEqual([
    'd1 create solcallers-production',
    'd1 migrations apply solcallers-production',
    'deploy',
  ]);
  expect(lines.at(-1)).toBe('There is no earlier version to roll back to.');
});

it.each([
  ['the token of another bot', { ...BOT, username: 'other_bot' }, 'The token belongs to @other_bot.'],
  [
    'a bot that can’t be added to groups',
    { ...BOT, can_join_groups: false },
    "The bot can't be added to groups.",
  ],
  [
    'a bot without privacy mode',
    { ...BOT, can_read_all_group_messages: true },
    'Telegram would send the bot every message of its groups.',
  ],
  ['a bot token that Telegram refuses', {}, 'Telegram refuses the token of the bot.'],
])('a deploy with %s stops before it changes anything', async (_name, bot, message) => {
  const { changes, error } = await fakeDeploy({ account: NEW_ACCOUNT, secretsFile: secretsFile(), bot });
  expect(error).toBeInstanceOf(StepFailure);
  expect(error).toMatchObject({ message });
  expect(changes).toEqual([]);
});

it('a deploy accepts an optional secret that Cloudflare stores but does not reveal', async () => {
  const vars = { JUPITER_REQUESTS_PER_SECOND: '10' };
  const { error } = await fakeDeploy({ vars, account: { secrets: [...SECRETS, 'JUPITER_API_KEY'] } });
  expect(error).toBeNull();
  expect((await fakeDeploy({ vars })).error).toMatchObject({
    message: expect.stringContaining('JUPITER_API_KEY'),
  });
});

it('a deploy that changes Durable Objects must use --all-at-once, which uploads and releases in one step', async () => {
  const failures = { 'versions upload': 'This Worker has a pending Durable Object migration' };
  const { error } = await fakeDeploy({ account: { failures } });
  expect(error).toMatchObject({ advice: expect.stringContaining('--all-at-once') });
  const { changes } = await fakeDeploy({ account: { failures }, isAllAtOnce: true });
  expect(changes).toEqual(['d1 migrations apply solcallers-production', 'deploy']);
});

it.each([
  ['the smoke test without visitors', { failsAt: 0 }],
  ['the smoke test at 100%', { failsAt: 100 }],
])('a deploy that fails at %s routes all requests back to the old version', async (_, options) => {
  const { error, versions, lines } = await fakeDeploy(options);
  expect(error).toBeInstanceOf(Error);
  expect(versions).toEqual([{ version_id: 'old', percentage: 100 }]);
  expect(lines.slice(-2)).toEqual([
    'release: taken back. Version old gets all requests again.',
    expect.stringContaining('Before you change a secret'),
  ]);
});

it('a failed deploy that can’t be rolled back automatically prints the rollback command', async () => {
  const { error } = await fakeDeploy({ account: { failures: { 'versions deploy': 'no network' } } });
  expect(error).toMatchObject({ advice: expect.stringContaining('npx wrangler rollback old') });
});

it.each([
  ['without a login', { account: { failures: { whoami: 'Not logged in' } } }, 'npx wrangler login'],
  ['without a secret', { account: { secrets: ['X_TOKENS_KEY'] } }, 'npx wrangler secret put'],
  ['for the first time without a file of secrets', { account: NEW_ACCOUNT }, '--secrets-file'],
  ['with the example’s APP_ORIGIN', { vars: { APP_ORIGIN: 'https://solcallers.example' } }, 'docs/DEPLOY.md'],
  ['with an APP_ORIGIN that is http', { vars: { APP_ORIGIN: 'http://calls.test' } }, 'docs/DEPLOY.md'],
  [
    'with a PLATFORM_WALLET that is no Solana address',
    { vars: { PLATFORM_WALLET: '0xabc' } },
    'docs/DEPLOY.md',
  ],
  ['with an unset variable', { vars: { X_CLIENT_ID: '' } }, 'docs/DEPLOY.md'],
  ['without the name of the site’s operator', { shell: {} }, 'docs/DEPLOY.md'],
  [
    'with an X_TOKENS_KEY that is too short',
    { secretsFile: secretsFile(['X_TOKENS_KEY=short']) },
    'docs/DEPLOY.md',
  ],
  ['of a deployed worker whose database is missing', { account: { databases: [] } }, 'the right account'],
  [
    'to a database of another baseline',
    { account: { applied: ['0000_baseline_00000000.sql'] } },
    'docs/DEPLOY.md',
  ],
])('a deploy %s changes nothing and says what to do', async (_, options, advice) => {
  const { error, changes } = await fakeDeploy(options);
  expect(error).toBeInstanceOf(StepFailure);
  expect(error).toMatchObject({ advice: expect.stringContaining(advice) });
  expect(changes).toEqual([]);
});

it('a deploy with an invalid secret names the secret without printing its value', async () => {
  const file = secretsFile(['SOLANA_RPC_URL=a-secret-key']);
  const { error, lines } = await fakeDeploy({ account: NEW_ACCOUNT, secretsFile: file });
  expect(error).toMatchObject({ message: expect.stringContaining('SOLANA_RPC_URL') });
  expect([...lines, String(error)].join()).not.toContain('a-secret-key');
});

it('a deploy stops if a service refuses our key, and only warns if a service doesn’t respond', async () => {
  const checked = (state: ServiceResult['state']) => () =>
    Promise.resolve([{ service: 'X, token endpoint', state, milliseconds: 5, note: 'why' }]);
  const refused = await fakeDeploy({ checkServices: checked('key refused') });
  expect(refused.error).toBeInstanceOf(StepFailure);
  expect(refused.error).toHaveProperty('message', expect.stringContaining('X, token endpoint'));
  expect(refused.changes).toEqual([]);
  const down = await fakeDeploy({ checkServices: checked('unexpected') });
  expect(down.error).toBeNull();
  expect(down.lines).toContainEqual(
    expect.stringMatching(/^services: WARNING\nX, token endpoint +unexpected/),
  );
});
