import { dirname, join } from 'node:path';
import { buildEnvironment, type Build } from './build.ts';
import { findSettingsProblems, withPlaceholders } from './configuration.ts';
import { readConfig, type Environment } from './environments.ts';
import { StepFailure } from './failure.ts';
import { checkMigrations } from './migrate.ts';
import type { Wrangler } from './wrangler.ts';

/** Cloudflare's limit for a compressed worker on the paid plan is 10 MiB (Workers limits, November 2026). */
const MAX_GZIP_KIB = 10 * 1024;
/** Cloudflare refuses a worker whose global scope runs longer, in ms (Workers limits, November 2026). */
const MAX_STARTUP_MS = 1_000;

export interface DryRunOptions {
  readonly environment: Environment;
  readonly wrangler: Wrangler;
  readonly log: (line: string) => void;
  readonly build?: (environment: Environment) => Promise<Build>;
  /** Leaves out the build and the steps that need it. */
  readonly isQuick?: boolean;
}

/** Does the steps of a deploy that need no account. @throws StepFailure at the first step that fails */
export async function dryRun(options: DryRunOptions): Promise<void> {
  const { environment, log } = options;
  checkSettings(options);
  log(`migrations: D1 can read all ${checkMigrations()}.`);
  if (options.isQuick === true) return;
  const build = await (options.build ?? buildEnvironment)(environment);
  log('build: done, without the test dashboard.');
  const bundle = join(dirname(build.config), '../worker.bundle');
  log(`upload: ${await checkUpload(options.wrangler, build, bundle)}`);
  log(`startup: ${await checkStartup(options.wrangler, bundle)}`);
  log(`Dry run of ${environment} passed. Nothing was changed.`);
}

function checkSettings({ environment, log }: DryRunOptions): void {
  const { vars, secrets } = readConfig(environment);
  const values = Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, String(value)]));
  const filled = withPlaceholders({ vars: values, secrets: {} }, secrets?.required ?? []);
  const isExample = (problem: string) => problem.endsWith('This is still the example.');
  const problems = findSettingsProblems(filled);
  const wrong = problems.filter((problem) => !isExample(problem));
  if (wrong.length > 0) {
    throw new StepFailure(wrong.join('\n  '), `Correct them in [env.${environment}] of wrangler.toml.`);
  }
  log(`configuration: valid, with invented values for ${filled.invented.join(', ')}.`);
  for (const problem of problems.filter(isExample)) log(`configuration: to do before a deploy: ${problem}`);
}

/** Bundles as for an upload and checks the size. @param bundle the path to write the bundle to */
async function checkUpload(wrangler: Wrangler, { config }: Build, bundle: string): Promise<string> {
  const output = await wrangler('deploy', '--dry-run', '--config', config, '--outfile', bundle);
  const [, total = '', gzip = ''] = /Total Upload: ([\d.]+) KiB \/ gzip: ([\d.]+) KiB/.exec(output) ?? [];
  if (gzip === '') throw new StepFailure(`Wrangler named no size: ${output}`, 'Check its version.');
  if (Number(gzip) > MAX_GZIP_KIB) {
    throw new StepFailure(`The worker has ${gzip} KiB, and the limit is ${MAX_GZIP_KIB}.`, 'Find what grew.');
  }
  return `${total} KiB, ${gzip} KiB compressed of at most ${MAX_GZIP_KIB}.`;
}

/** Starts the bundle locally, so the time is only an estimate of Cloudflare's. */
async function checkStartup(wrangler: Wrangler, bundle: string): Promise<string> {
  const profile = `${bundle}.cpuprofile`;
  const output = await wrangler('check', 'startup', '--worker', bundle, '--outfile', profile);
  const [, active = ''] = /Active: ([\d.]+) ms/.exec(output) ?? [];
  if (active === '') throw new StepFailure(`Wrangler named no startup time: ${output}`, 'Check its version.');
  const figure = `${active} ms of at most ${MAX_STARTUP_MS}, on this machine.`;
  if (Number(active) <= MAX_STARTUP_MS) return figure;
  return `${figure} WARNING: too slow, or this machine is busy. Open ${profile} in the browser's performance panel.`;
}
