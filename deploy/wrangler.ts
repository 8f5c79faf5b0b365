import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { root } from '#dev/settings.ts';

const execute = promisify(execFile);
/** The default of 1 MiB is less than a build may print. */
const MAX_OUTPUT_BYTES = 64 * 1024 ** 2;

export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly output: string;

  constructor(args: readonly string[], output: string, options?: ErrorOptions) {
    super(`${args.slice(0, 3).join(' ')} failed:\n${output.trim()}`, options);
    this.output = output;
  }
}

/** Runs a command of wrangler and returns its standard output. @throws CommandError with all output if it fails */
export type Wrangler = (...args: readonly string[]) => Promise<string>;

/** Runs the installed wrangler. @param script another JavaScript file to run, for tests */
export function createWrangler(script = 'node_modules/wrangler/bin/wrangler.js'): Wrangler {
  const env = { WRANGLER_SEND_METRICS: 'false', NO_UPDATE_NOTIFIER: '1' };
  return (...args) => runScript(script, args, { ...process.env, ...env });
}

/** @param script a path, absolute or from the repository's root @throws CommandError with all output if it fails */
export async function runScript(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  try {
    const options = { cwd: root, env, maxBuffer: MAX_OUTPUT_BYTES };
    const { stdout } = await execute(process.execPath, [resolve(root, script), ...args], options);
    return stdout;
  } catch (error) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `execFile` adds the output to its errors.
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new CommandError([script.replace(/.*\/|\.m?js/g, ''), ...args], stdout + stderr, { cause: error });
  }
}

export const namesSchema = z.array(z.object({ name: z.string() }));

/** The names in a list that wrangler has printed as JSON. */
export const readNames = (output: string): readonly string[] =>
  namesSchema.parse(JSON.parse(output)).map(({ name }) => name);
