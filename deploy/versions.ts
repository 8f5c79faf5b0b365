import { execFileSync } from 'node:child_process';
import { root } from '#dev/settings.ts';
import { StepFailure } from './failure.ts';
import { WranglerError, type Wrangler } from './wrangler.ts';

/** The versions that answer requests now: one, or two during a rollout. */
interface Deployment {
  readonly versions: readonly { readonly version_id: string; readonly percentage: number }[];
}

/**
 * Returns the version that answers most requests, or null before the first deploy. If an earlier run stopped in the
 * middle of its rollout, this is the version from before it.
 */
export async function findRunningVersion(wrangler: Wrangler, worker: string): Promise<string | null> {
  let output: string;
  try {
    output = await wrangler.run('deployments', 'status', '--json', '--name', worker);
  } catch (error) {
    if (error instanceof WranglerError && /\b10007\b|has no deployments/.test(error.output)) return null;
    throw error;
  }
  const { versions } = JSON.parse(output) as Deployment;
  const [most] = versions.toSorted((one, other) => other.percentage - one.percentage);
  return most?.version_id ?? null;
}

/** The commit, with `-dirty` if there are changes that aren't committed. */
export const describeCommit = (): string =>
  execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).trim();

/** Uploads a version that answers no requests yet. @returns its id */
export async function uploadVersion(
  wrangler: Wrangler,
  { config, commit }: { readonly config: string; readonly commit: string },
): Promise<string> {
  try {
    const records = await wrangler.runForRecords('versions', 'upload', '--config', config, '--tag', commit);
    const id = records.find(({ type }) => type === 'version-upload')?.['version_id'];
    if (typeof id === 'string') return id;
    throw new StepFailure('Wrangler named no version.', 'Look at "npx wrangler versions list".');
  } catch (error) {
    if (error instanceof WranglerError && error.output.includes('Durable Object migration')) {
      throw new StepFailure(
        'This version changes Durable Objects, which cannot be rolled out gradually.',
        'Run the same command with --all-at-once, at a quiet time.',
        { cause: error },
      );
    }
    throw error;
  }
}

export interface Traffic {
  readonly version: string;
  readonly percent: number;
}

/** Divides the requests among versions. The percentages must add up to 100. */
export async function divideTraffic(
  wrangler: Wrangler,
  { worker, traffic }: { readonly worker: string; readonly traffic: readonly Traffic[] },
): Promise<void> {
  const shares = traffic.map(({ version, percent }) => `${version}@${percent}%`);
  await wrangler.run('versions', 'deploy', ...shares, '--name', worker, '--yes');
}
