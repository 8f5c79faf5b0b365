import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { localOperator } from '#dev/local/local-operator.ts';
import { root } from '#dev/settings.ts';
import { OPERATOR_ACTIONS } from '#schema/constants/running.ts';
import type { AuditEntry, OperatorsOverview, OperatorsPerson } from '#schema/contracts/operators.ts';
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

  const [person] = JSON.parse(await print('find', '@cli_caller')) as OperatorsPerson[];
  const id = person?.id ?? '';
  expect(person).toMatchObject({ handle: 'cli_caller', isCaller: true, isVerified: false });
  expect(await print('verify', id, '--reason', 'They proved it.')).toBe('Done.\n');
  expect(await readProfile()).toMatchObject({ isVerified: true });
  expect(await print('verify', id, '--reason', 'Once more.')).toContain('Nothing was changed.');

  const remote = await operators(
    ['unverify', id, '--reason', 'It was sold.', ...REMOTE],
    localOperator.token,
  );
  expect(remote).toEqual({
    code: 0,
    stdout: 'Done.\n',
    stderr: `Product: ${productUrl}\n`,
  });
  expect(await readProfile()).toMatchObject({ isVerified: false });

  const entries = (JSON.parse(await print('audit')) as AuditEntry[]).filter(
    ({ subjectId }) => subjectId === id,
  );
  expect(entries.map(({ action, reason, operatorXId }) => [action, reason, operatorXId])).toEqual([
    ['unverify', 'It was sold.', localOperator.xUserId],
    ['verify', 'They proved it.', localOperator.xUserId],
  ]);
});

test('the operators’ command line prints the overview, and an empty history for an unknown payment', async () => {
  const { cronRanAt } = JSON.parse(await print('overview')) as OperatorsOverview;
  expect(Date.parse(cronRanAt ?? '')).toBeGreaterThan(0);
  expect(JSON.parse(await print('payment', 'unknown'))).toEqual([]);
});

test('the operators’ command line fails and explains why if arguments are wrong or a request is refused', async () => {
  const acting = ['verify', 'nobody', '--reason', 'For a test.'];
  const failures: readonly (readonly [args: readonly string[], message: string, token?: string])[] = [
    [[], 'npm run operators -- overview'],
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
