import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';

/** Starts one local environment for all worker tests, in its own process. The tests get its addresses as variables. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const environment = spawn('node', ['dev/tests/serve-test-environment.ts'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: environment.stdout }), 'line')) as [string];
  project.provide('vars', JSON.parse(line) as Record<string, string>);
  return async () => {
    const ended = once(environment, 'exit');
    environment.stdin.end();
    await ended;
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    vars: Record<string, string>;
  }
}
