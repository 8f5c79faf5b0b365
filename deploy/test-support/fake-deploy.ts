import { OPERATOR_VARIABLES } from '../configuration.ts';
import { deploy, type DeployOptions } from '../deploy.ts';
import { readConfig } from '../environments.ts';
import { readMigrations } from '#dev/build/migrations.ts';
import { createFakeWrangler, type Account } from './fake-wrangler.ts';

export const SECRETS = readConfig('production').secrets?.required ?? [];

/** An account whose database lacks the newest migration. */
const READY: Account = {
  versions: [{ version_id: 'old', percentage: 100 }],
  secrets: SECRETS,
  databases: ['solcallers-production'],
  applied: readMigrations()
    .slice(0, -1)
    .map(({ name }) => name),
  failures: {},
};

export const NEW_ACCOUNT: Partial<Account> = {
  versions: [],
  secrets: [],
  databases: [],
  applied: null,
};

const VARS = {
  APP_ORIGIN: 'https://calls.test',
  X_CLIENT_ID: 'id',
  TELEGRAM_BOT_USERNAME: 'calls_bot',
  PLATFORM_WALLET: 'So11111111111111111111111111111111111111112',
};

const SECURITY = {
  'content-security-policy': '-',
  'strict-transport-security': '-',
  'x-content-type-options': '-',
  'x-frame-options': '-',
  'referrer-policy': '-',
  'permissions-policy': '-',
};

/** The bot's settings, as Telegram's `getMe` describes them. */
export const BOT = { username: 'Calls_Bot', can_join_groups: true, can_read_all_group_messages: false };

const PAGES: Readonly<Record<string, () => Response>> = {
  '/': () => new Response('<script src="/assets/app.js">', { headers: SECURITY }),
  '/assets/app.js': () => new Response(''),
  '/api/health': () => Response.json({ status: 'ok', version: 'new' }, { headers: SECURITY }),
  '/api/callers': () => Response.json([], { headers: SECURITY }),
  '/api/subscriptions/my': () =>
    new Response('', { status: 401, headers: { ...SECURITY, 'cache-control': 'private, no-store' } }),
  '/api/does-not-exist': () =>
    Response.json({ error: { code: 'request.not_found' } }, { status: 404, headers: SECURITY }),
};

/** A site that works; `failsAt` makes its list of callers fail while the new version has this share. */
function siteOf(
  account: () => Account,
  { failsAt, bot = BOT }: Pick<FakeDeploy, 'failsAt' | 'bot'>,
): typeof globalThis.fetch {
  return (input) => {
    const path = new URL(String(input)).pathname;
    if (path === '/bot1:token/getMe') return Promise.resolve(Response.json({ ok: true, result: bot }));
    const share = account().versions.find(({ version_id }) => version_id === 'new')?.percentage;
    const isFailing = path === '/api/callers' && share === failsAt && failsAt !== undefined;
    return Promise.resolve(
      isFailing ? new Response('', { status: 500 }) : (PAGES[path]?.() ?? new Response('')),
    );
  };
}

interface FakeDeploy extends Partial<
  Pick<DeployOptions, 'checkServices' | 'isAllAtOnce' | 'secretsFile' | 'shell'>
> {
  readonly account?: Partial<Account>;
  readonly vars?: Readonly<Record<string, string>>;
  readonly failsAt?: number;
  readonly bot?: Partial<typeof BOT>;
}

interface Outcome {
  /** The wrangler commands that change the account, without options. */
  readonly changes: readonly string[];
  readonly lines: readonly string[];
  readonly error: unknown;
  /** The deployed versions afterwards. */
  readonly versions: Account['versions'];
}

/** Deploys production to a simulated account. */
export async function fakeDeploy({
  account,
  vars,
  failsAt,
  bot,
  ...options
}: FakeDeploy = {}): Promise<Outcome> {
  const fake = createFakeWrangler({ ...READY, ...account });
  const lines: string[] = [];
  const error = await deploy({
    environment: 'production',
    wrangler: fake.wrangler,
    isAllAtOnce: false,
    shell: Object.fromEntries(OPERATOR_VARIABLES.map((name) => [name, 'Example'])),
    log: (line) => lines.push(line),
    fetch: siteOf(fake.account, { ...(failsAt !== undefined && { failsAt }), ...(bot && { bot }) }),
    sleep: () => Promise.resolve(),
    checkServices: () => Promise.resolve([]),
    readConfig: (environment) => {
      const config = readConfig(environment);
      return { ...config, vars: { ...config.vars, ...VARS, ...vars } };
    },
    build: () => Promise.resolve({ config: 'built.json', firstFiles: ['/assets/app.js'] }),
    ...options,
  }).then(
    () => null,
    (failure: unknown) => failure,
  );
  return { changes: fake.calls.flatMap(changeIn), lines, error, versions: fake.account().versions };
}

const READS = /^(?:whoami|deployments status|secret list|d1 list|d1 execute)/;

function changeIn(args: readonly string[]): readonly string[] {
  const options = args.findIndex((arg) => arg.startsWith('--'));
  const change = args.slice(0, options === -1 ? undefined : options).join(' ');
  return READS.test(change) ? [] : [change];
}
