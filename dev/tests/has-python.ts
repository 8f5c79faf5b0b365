import { execFileSync } from 'node:child_process';

/** On CI always true, so that a missing Python fails there. */
export function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version']);
    return true;
  } catch {
    return process.env['CI'] !== undefined;
  }
}
