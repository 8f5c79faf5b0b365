const LEVELS = ['debug', 'error', 'info', 'log', 'warn'] as const;

/** Collects log lines until `restore` is called. */
export function captureLogs(): { logs: readonly string[]; restore: () => void } {
  const logs: string[] = [];
  const originals = LEVELS.map((level) => [level, console[level]] as const);
  for (const level of LEVELS) console[level] = (...values: unknown[]) => void logs.push(values.join(' '));
  return {
    logs,
    restore: () => {
      for (const [level, original] of originals) console[level] = original;
    },
  };
}
