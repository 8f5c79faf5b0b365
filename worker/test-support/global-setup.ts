import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';

/** One local world for all worker tests, in a process of its own. Its addresses become the worker's variables. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const world = spawn('node', ['dev/serve-test-world.ts'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: world.stdout }), 'line')) as [string];
  project.provide('vars', JSON.parse(line) as Record<string, string>);
  return async () => {
    const ended = once(world, 'exit');
    world.stdin.end();
    await ended;
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    vars: Record<string, string>;
  }
}
