import { parseVars } from '#worker/app/env.ts';
import { withPlaceholders } from '../configuration.ts';
import { readConfig, type Environment } from '../environments.ts';
import type { CheckedServices } from './check-services.ts';

interface ServiceSettings {
  readonly environment: Environment;
  /** Secrets from a file. */
  readonly given: Readonly<Record<string, string>>;
  /** Secrets may also be in the shell. */
  readonly shell: NodeJS.ProcessEnv;
  readonly config?: ReturnType<typeof readConfig>;
}

/** The settings with which the services are checked. Those that aren't known here have placeholders. */
export function readServiceSettings({ environment, given, shell, config }: ServiceSettings): CheckedServices {
  const { vars, secrets: declared } = config ?? readConfig(environment);
  // Cloudflare may store a key of Jupiter's, which isn't required.
  const required = [...(declared?.required ?? []), 'JUPITER_API_KEY'];
  const inShell = required.flatMap((name) => {
    const value = shell[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const filled = withPlaceholders(
    {
      vars: Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, String(value)])),
      secrets: { ...Object.fromEntries(inShell), ...given },
    },
    required,
  );
  return { vars: parseVars({ ...filled.vars, ...filled.secrets }), unknown: filled.invented };
}
