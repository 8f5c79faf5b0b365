import { execFileSync } from 'node:child_process';
import { z } from 'zod';
import { root } from '#dev/settings.ts';
import type { Build } from './build.ts';
import { StepFailure } from './failure.ts';
import { smokeTest } from './smoke-test.ts';
import { CommandError, type Wrangler } from './wrangler.ts';

export interface Release {
  readonly wrangler: Wrangler;
  readonly worker: string;
  readonly origin: string;
  readonly build: Build;
  readonly secretsFile?: string | undefined;
  readonly log: (line: string) => void;
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Attempts of the smoke test: a new deployment takes some seconds to reach all of Cloudflare's locations. */
const ATTEMPTS = 12;
const ATTEMPT_MS = 5_000;

/** The commit, with `-dirty` if there are changes that aren't committed. */
const describeCommit = (): string =>
  execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).trim();

const deployment = z.object({
  versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })),
});

/** Returns the version that gets most requests, or null before the first deploy. */
export async function findRunningVersion(wrangler: Wrangler, worker: string): Promise<string | null> {
  try {
    const output = await wrangler('deployments', 'status', '--json', '--name', worker);
    const { versions } = deployment.parse(JSON.parse(output));
    const [most] = versions.toSorted((one, other) => other.percentage - one.percentage);
    return most?.version_id ?? null;
  } catch (error) {
    if (error instanceof CommandError && /\b10007\b|has no deployments/.test(error.output)) return null;
    throw error;
  }
}

/**
 * Uploads a version, tests it before it gets other requests, and routes all requests to it. If a test fails, routes all
 * requests back to the previous version. @throws StepFailure
 */
export async function releaseVersion(release: Release, running: string): Promise<void> {
  const { wrangler, worker, build, log } = release;
  const uploaded = await upload(release);
  const give = (...shares: readonly string[]) =>
    wrangler('versions', 'deploy', ...shares, '--name', worker, '--yes');
  try {
    await give(`${uploaded}@0%`, `${running}@100%`);
    await waitUntilSmokeTestPasses(release, uploaded);
    log(`smoke test: version ${uploaded} works. It gets no visitors yet.`);
    await give(`${uploaded}@100%`);
    await waitUntilSmokeTestPasses(release, uploaded);
    log('release: the new version gets all requests, and the smoke test passes.');
  } catch (cause) {
    await give(`${running}@100%`).catch((error: Error) => {
      throw new StepFailure(
        `The release failed and could not be taken back: ${String(cause)}\n${error.message}`,
        `Run "npx wrangler rollback ${running} --name ${worker}" now.`,
        { cause },
      );
    });
    log(`release: taken back. Version ${running} gets all requests again.`);
    log('Before you change a secret, deploy that version again: see "Changing a secret" in docs/DEPLOY.md.');
    throw cause;
  }
  await wrangler('triggers', 'deploy', '--config', build.config);
  log('triggers: domain and cron are set.');
}

/** The first deploy also creates the KV namespace, the domain and the Durable Objects. */
export async function releaseAtOnce(release: Release): Promise<void> {
  const { wrangler, worker, build, secretsFile, log } = release;
  const secrets = secretsFile === undefined ? [] : ['--secrets-file', secretsFile];
  await wrangler('deploy', '--config', build.config, '--tag', describeCommit(), ...secrets);
  await waitUntilSmokeTestPasses(release, (await findRunningVersion(wrangler, worker)) ?? '');
  log('release: the new version gets all requests, and the smoke test passes.');
}

/** Uploads a version that gets no requests yet. @returns its id */
async function upload({ wrangler, build }: Release): Promise<string> {
  try {
    const output = await wrangler('versions', 'upload', '--config', build.config, '--tag', describeCommit());
    const [, id] = /Worker Version ID: (\S+)/.exec(output) ?? [];
    if (id !== undefined) return id;
  } catch (error) {
    if (!(error instanceof CommandError && error.output.includes('Durable Object migration'))) throw error;
    throw new StepFailure(
      'This version changes Durable Objects, and Cloudflare gives such a version all requests at once.',
      'Run the same command with --all-at-once, at a quiet time.',
      { cause: error },
    );
  }
  throw new StepFailure('Wrangler named no version.', 'Look at "npx wrangler versions list".');
}

/** @throws StepFailure with the problems that remain after a minute */
async function waitUntilSmokeTestPasses(release: Release, uploaded: string): Promise<void> {
  const { worker, origin, build, fetch, sleep } = release;
  let problems: readonly string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await sleep(ATTEMPT_MS);
    problems = await smokeTest({ origin, version: { worker, id: uploaded }, build, fetch });
    if (problems.length === 0) return;
  }
  throw new StepFailure(
    `The smoke test of ${origin} fails:\n  ${problems.join('\n  ')}`,
    `Read the version's log in Cloudflare's dashboard, or with "npx wrangler tail ${worker} --version-id ${uploaded}".`,
  );
}
