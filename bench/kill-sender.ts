// Kills the local runtime (SIGKILL) ten times while it sends an update, and restarts it on the same state.
// Fails if a chat got no message, or if there are more duplicates than the kills can explain.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#schema/constants.ts';
import { waitUntilAnswering } from '#dev/wait-until-answering.ts';
import { startWrangler } from '#dev/wrangler.ts';
import { PRODUCT_URL, startCrowdWorld } from './crowd-world.ts';

const recipients = Number(process.argv[2] ?? 2_000);
const KILLS = 10;
const MAX_IN_FLIGHT = 6;
/** Range of the random time between the start of sending and the kill. */
const SENDING_MS = { from: 2 * SECOND_MS, to: 5 * SECOND_MS };
const QUIET_MS = 60 * SECOND_MS;

/** Lists the ids of the wrangler and workerd processes that this process has started. */
function listRuntime(): number[] {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .flatMap((match) =>
      match ? [{ pid: Number(match[1]), parent: Number(match[2]), args: match[3] ?? '' }] : [],
    );
  const below = (parent: number): typeof processes =>
    processes.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)]);
  return below(process.pid).flatMap(({ pid, args }) => (/wrangler|workerd/.test(args) ? [pid] : []));
}

const world = await startCrowdWorld();
try {
  const caller = await world.signInCaller('amara_calls');
  await world.follow(caller.id, { count: recipients, prefix: 'crowd' });
  const arrived = async () => Object.keys(await world.readCounts()).length;
  await caller.sendUpdate();
  const configPath = join(world.dataDir, 'site/worker/wrangler.json');
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const before = await arrived();
    while ((await arrived()) === before) await pause(SECOND_MS / 4);
    await pause(SENDING_MS.from + Math.random() * (SENDING_MS.to - SENDING_MS.from));
    for (const pid of listRuntime()) killHard(pid);
    console.log(`Kill ${kill}: ${await arrived()} of ${recipients} reached`);
    const state = ['--persist-to', join(world.dataDir, 'state'), '--log-level', 'error'];
    const port = new URL(PRODUCT_URL).port;
    startWrangler(['dev', '--config', configPath, '--port', port, ...state], { stdio: 'inherit' });
    await waitUntilAnswering(`${PRODUCT_URL}/api/callers?limit=1`);
  }
  await world.waitForQuiet(QUIET_MS);
  const counts = Object.values(await world.readCounts());
  const lost = recipients - counts.length;
  const duplicates = counts.reduce((sum, count) => sum + count - 1, 0);
  console.table([{ recipients, kills: KILLS, lost, duplicates, 'at most': KILLS * MAX_IN_FLIGHT }]);
  if (lost > 0 || duplicates > KILLS * MAX_IN_FLIGHT) process.exitCode = 1;
} finally {
  for (const pid of listRuntime()) killHard(pid);
  await world.close();
}

/** Kills a process that may already have ended together with its parent. */
function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
