import { readFileSync } from 'node:fs';
import type { Unstable_Config } from 'wrangler';
import { buildEnvironment, type Build } from './build.ts';
import { checkBot } from './check-bot.ts';
import {
  OPERATOR_VARIABLES,
  findSettingsProblems,
  parseSecretsFile,
  withPlaceholders,
} from './configuration.ts';
import { readConfig, type Environment } from './environments.ts';
import { StepFailure } from './failure.ts';
import { migrate } from './migrate.ts';
import { findRunningVersion, releaseAtOnce, releaseVersion, type Release } from './release.ts';
import { checkServices, describeResults } from './services/check-services.ts';
import { readServiceSettings } from './services/service-settings.ts';
import { readNames, type Wrangler } from './wrangler.ts';

export interface DeployOptions extends Pick<Release, 'wrangler' | 'log' | 'fetch' | 'sleep'> {
  readonly environment: Environment;
  /** A file with the secrets, which the first deploy needs. */
  readonly secretsFile?: string | undefined;
  /** Gives the version all requests immediately, as changes of Durable Objects require. */
  readonly isAllAtOnce: boolean;
  readonly shell: NodeJS.ProcessEnv;
  readonly readConfig?: typeof readConfig;
  readonly build?: (environment: Environment) => Promise<Build>;
  readonly checkServices?: typeof checkServices;
}

/** Deploys an environment step by step. Each step can be repeated. @throws StepFailure at the first step that fails */
export async function deploy(options: DeployOptions): Promise<void> {
  const { environment, wrangler, log } = options;
  const config = (options.readConfig ?? readConfig)(environment);
  const worker = config.name ?? '';
  await checkAccount(wrangler);
  const running = await findRunningVersion(wrangler, worker);
  log(
    `account: logged in. ${running === null ? `This is the first deploy of ${worker}.` : `${running} runs.`}`,
  );
  const { secretsFile } = options;
  const given = secretsFile === undefined ? {} : parseSecretsFile(readFileSync(secretsFile, 'utf8'));
  const secrets = await checkSettings(options, { config, given, isFirst: running === null });
  await checkKeys(options, { config, given });
  log(`configuration: ${Object.keys(config.vars).length} variables and ${secrets} secrets are set.`);
  const build = await (options.build ?? buildEnvironment)(environment);
  log('build: done.');
  const [database] = config.d1_databases;
  const name = database?.database_name ?? '';
  const applied = await migrate(wrangler, { environment, name, isFirstDeploy: running === null });
  log(`migrations: ${applied === 0 ? 'none to apply.' : `${applied} applied.`}`);

  const origin = String(config.vars['APP_ORIGIN']);
  const release = { ...options, worker, origin, build };
  if (running === null || options.isAllAtOnce) await releaseAtOnce(release);
  else await releaseVersion(release, running);
  log(`Deployed to ${origin}.`);
  log(rollbackInstructions(worker, running));
}

async function checkAccount(wrangler: Wrangler): Promise<void> {
  try {
    await wrangler('whoami', '--json');
  } catch (error) {
    throw new StepFailure(
      'You are not logged in to Cloudflare.',
      'Run "npx wrangler login", or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.',
      { cause: error },
    );
  }
}

interface Given {
  readonly config: Unstable_Config;
  /** The secrets of the file. */
  readonly given: Readonly<Record<string, string>>;
}

interface Checked extends Given {
  readonly isFirst: boolean;
}

/**
 * Checks the variables, the secrets and the bot. Of secrets that Cloudflare stores, it checks only the names, because Cloudflare
 * doesn't show their values.
 * @returns the number of required secrets
 */
async function checkSettings(options: DeployOptions, { config, given, isFirst }: Checked): Promise<number> {
  const { environment, wrangler } = options;
  const required = config.secrets?.required ?? [];
  const stored = isFirst ? [] : await listSecrets(wrangler, config.name ?? '');
  const missing = required.filter((secret) => !(secret in given) && !stored.includes(secret));
  if (missing.length > 0) {
    throw new StepFailure(
      `These secrets are not set: ${missing.join(', ')}`,
      isFirst
        ? 'Write them into a file as in .dev.vars.example, outside of the repository, and add --secrets-file <path>.'
        : `Set each with "npx wrangler secret put <name> --env ${environment}".`,
    );
  }
  const vars = Object.fromEntries(Object.entries(config.vars).map(([name, value]) => [name, String(value)]));
  const { secrets } = withPlaceholders({ vars: {}, secrets: given }, [...required, ...stored]);
  const unnamed = OPERATOR_VARIABLES.filter((name) => (options.shell[name] ?? '') === '');
  if (environment === 'production' && unnamed.length > 0) {
    throw new StepFailure(
      `The terms and the privacy notice would not say who runs the site: ${unnamed.join(', ')}`,
      'Export these variables in your shell; see docs/DEPLOY.md.',
    );
  }
  const problems = findSettingsProblems({ vars, secrets });
  if (problems.length > 0) {
    throw new StepFailure(
      problems.join('\n  '),
      `Correct them in [env.${environment}.vars] of wrangler.toml or in your file of secrets; see docs/DEPLOY.md.`,
    );
  }
  const token = given['TELEGRAM_BOT_TOKEN'] ?? options.shell['TELEGRAM_BOT_TOKEN'];
  if (token === undefined) {
    options.log('bot: not checked, because TELEGRAM_BOT_TOKEN is not set in your shell.');
  } else await checkBot({ vars: config.vars, token, fetch: options.fetch });
  return required.length;
}

/** Asks all services whose keys are known here. Only a refused key stops the deploy: a service may be down for a moment. */
async function checkKeys(options: DeployOptions, { config, given }: Given): Promise<void> {
  const { environment, shell, log } = options;
  const settings = readServiceSettings({ environment, given, shell, config });
  const results = await (options.checkServices ?? checkServices)(settings);
  const refused = results.filter(({ state }) => state === 'key refused');
  if (refused.length > 0) {
    throw new StepFailure(describeResults(refused), 'Correct the key; see docs/DEPLOY.md.');
  }
  const unexpected = results.filter(({ state }) => state === 'unexpected');
  if (unexpected.length > 0) log(`services: WARNING\n${describeResults(unexpected)}`);
  else log('services: all that could be checked fit.');
}

async function listSecrets(wrangler: Wrangler, worker: string): Promise<readonly string[]> {
  return readNames(await wrangler('secret', 'list', '--format', 'json', '--name', worker));
}

const rollbackInstructions = (worker: string, running: string | null) =>
  running === null
    ? 'There is no earlier version to roll back to.'
    : `To roll back: npx wrangler rollback ${running} --name ${worker}. The database stays as it is: the version before can ` +
      'live with it.';
