import { readMigrations } from '#dev/build/migrations.ts';
import { CommandError, type Wrangler } from '../wrangler.ts';

export interface Account {
  readonly versions: readonly { readonly version_id: string; readonly percentage: number }[];
  readonly secrets: readonly string[];
  readonly databases: readonly string[];
  /** The migrations that the database has; null if none was ever applied. */
  readonly applied: readonly string[] | null;
  /** The output of commands that fail, by the command's prefix. */
  readonly failures: Readonly<Record<string, string>>;
}

interface FakeWrangler {
  readonly wrangler: Wrangler;
  readonly account: () => Account;
  /** The commands so far. */
  readonly calls: readonly (readonly string[])[];
}

/** Mocks wrangler for this account. */
export function createFakeWrangler(initial: Account): FakeWrangler {
  let account = initial;
  const calls: (readonly string[])[] = [];
  const change = (changes: Partial<Account>) => {
    account = { ...account, ...changes };
    return '';
  };
  const responses: Readonly<Record<string, (args: readonly string[]) => string>> = {
    whoami: () => '{}',
    'deployments status': (args) => {
      if (account.versions.length > 0) return JSON.stringify({ versions: account.versions });
      throw new CommandError(args, 'This Worker does not exist on your account. [code: 10007]');
    },
    'secret list': () => JSON.stringify(account.secrets.map((name) => ({ name, type: 'secret_text' }))),
    'd1 list': () => JSON.stringify(account.databases.map((name) => ({ name }))),
    'd1 create': (args) => change({ databases: [...account.databases, args[2] ?? ''] }),
    'd1 execute': (args) => {
      if (account.applied === null) {
        throw new CommandError(args, 'no such table: d1_migrations: SQLITE_ERROR');
      }
      return JSON.stringify([{ results: account.applied.map((name) => ({ name })), success: true }]);
    },
    'd1 migrations apply': () => change({ applied: readMigrations().map(({ name }) => name) }),
    'versions upload': () => 'Total Upload: 1 KiB\nWorker Version ID: new\n',
    'versions deploy': (args) => {
      const shares = args.filter((each) => each.includes('@')).map((each) => each.split('@'));
      return change({
        versions: shares.map(([id = '', share = '']) => ({
          version_id: id,
          percentage: Number.parseInt(share, 10),
        })),
      });
    },
    'triggers deploy': () => '',
    deploy: () => change({ versions: [{ version_id: 'new', percentage: 100 }] }),
  };
  const wrangler: Wrangler = async (...args: readonly string[]) => {
    calls.push(args);
    const command = args.join(' ');
    const startsCommand = ([start]: readonly [string, unknown]) => command.startsWith(start);
    const [, failure] = Object.entries(account.failures).find(startsCommand) ?? [];
    if (failure !== undefined) throw new CommandError(args, failure);
    const [, response] = Object.entries(responses).find(startsCommand) ?? [];
    if (!response) throw new Error(`The mock doesn't support: ${command}`);
    return response(args);
  };
  return { calls, account: () => account, wrangler };
}
