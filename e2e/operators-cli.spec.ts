import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { localOperator } from '#dev/local/local-operator.ts';
import { root } from '#dev/settings.ts';
import { OPERATOR_ACTIONS } from '#schema/constants/running.ts';
import type { OperatorsPage, OperatorsRow } from '#schema/contracts/operators.ts';
import { expect, test } from './fixtures.ts';
import { e2eSettings } from './settings.ts';
import { becomeCaller, signInByScript } from './steps.ts';

const { productUrl, port } = e2eSettings;
const REMOTE = ['--url', `${productUrl}/`, '--as', localOperator.xUserId] as const;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm run operators -- …`. `token` is its environment's OPERATORS_TOKEN. */
async function operators(args: readonly string[], token?: string): Promise<Ended> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'deploy/operators.ts', ...args],
    { cwd: root, env: { ...process.env, PORT: String(port), OPERATORS_TOKEN: token } },
  );
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  return { code, stdout, stderr };
}

/** Runs `npm run operators` in the local environment. @returns its output */
async function print(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await operators(args);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: `Product: ${productUrl}\n` });
  return stdout;
}

test('the operators’ command line finds people and acts on them, locally and with --url', async ({
  request,
}) => {
  await signInByScript(request, 'cli_caller');
  await becomeCaller(request);
  const readProfile = async () =>
    (await (await request.get('/api/callers/cli_caller')).json()) as { isVerified: boolean };

  const [found] = JSON.parse(await print('find', '@cli_caller')) as OperatorsRow[];
  const id = found?.id ?? '';
  const person = JSON.parse(await print('person', id)) as OperatorsPage;
  expect(person).toMatchObject({ title: '@cli_caller', badges: [] });
  expect(await print('verify', id, '--reason', 'They proved it.')).toBe('Verified.\n');
  expect(await readProfile()).toMatchObject({ isVerified: true });
  expect(await print('verify', id, '--reason', 'Once more.')).toContain('Nothing was changed.');

  const remote = await operators(
    ['unverify', id, '--reason', 'It was sold.', ...REMOTE],
    localOperator.token,
  );
  expect(remote).toEqual({
    code: 0,
    stdout: 'Verification removed.\n',
    stderr: `Product: ${productUrl}\n`,
  });
  expect(await readProfile()).toMatchObject({ isVerified: false });

  const entries = (JSON.parse(await print('audit')) as OperatorsRow[]).filter(({ title }) =>
    title.endsWith('@cli_caller'),
  );
  expect(entries.map(({ title, text }) => [title, text.split('\n')[0]])).toEqual([
    ['Remove verification: @cli_caller', 'It was sold.'],
    ['Verify: @cli_caller', 'They proved it.'],
  ]);
});

test('the operators’ command line prints what is wrong now, what we earned, and fails for an unknown payment', async () => {
  const { sections } = JSON.parse(await print('now')) as OperatorsPage;
  expect(sections[0]?.facts[0]).toEqual({ name: 'The cron last ran', value: expect.stringMatching(/ UTC$/) });
  expect(await print('earned', 'all')).toContain('Not explained');
  expect((await operators(['payment', 'unknown'])).stderr).toContain('404: There is no such thing.');
});

test('the operators’ command line fails and explains why if arguments are wrong or a request is refused', async () => {
  const acting = ['verify', 'nobody', '--reason', 'For a test.'];
  const failures: readonly (readonly [args: readonly string[], message: string, token?: string])[] = [
    [[], 'npm run operators -- now'],
    [['find'], 'npm run operators -- find'],
    [['verify', 'nobody'], 'Give a reason'],
    [acting, '404: There is no such thing.'],
    [['promote', 'nobody', '--reason', 'For a test.'], '400: '],
    [['hide_text', 'nobody', '--reason', 'For a test.'], '400: '],
    [[...acting, '--unknown'], '--unknown'],
    [[...acting, ...REMOTE], 'set OPERATORS_TOKEN and --as'],
    [[...acting, ...REMOTE], '(For a wrong token or --as, every address responds with 404.)', 'wrong'],
    [[...acting, '--as', '404'], '(For a wrong token or --as, every address responds with 404.)'],
  ];
  const ended = await Promise.all(failures.map(([args, , token]) => operators(args, token)));
  for (const [index, [args, message]] of failures.entries()) {
    expect({ args, ...ended[index] }).toMatchObject({ args, code: 1, stdout: '' });
    expect(ended[index]?.stderr).toContain(message);
  }
  for (const action of OPERATOR_ACTIONS) expect(ended[0]?.stderr).toContain(action);
});
