import { parseArgs } from 'node:util';
import { z } from 'zod';
import { OPERATOR_ACTIONS, OPERATORS_PAGES } from '#schema/constants/running.ts';
import { localOperator } from '#dev/local/local-operator.ts';
import { readSettings } from '#dev/settings.ts';

const USAGE = `npm run operators -- now | audit
npm run operators -- find <handle, wallet, start of an email, signature, or "handle SYMBOL" for a call>
npm run operators -- ${OPERATORS_PAGES.join(' | ')} <id>
  The id of a person or call; a signature, reference, wallet or id of a payment; a month or "all" for earned
npm run operators -- <action> <id> --reason "..."
  Actions: ${OPERATOR_ACTIONS.join(', ')}
  --kind   bio, thesis or update for hide_text and show_text; caller, call or update for resolve_reports
  --handle the person's handle, for delete_account
  --as     the operator's numeric id on X. It must be in OPERATOR_X_IDS.
  --url    the product's address. Without it, the local environment.
  OPERATORS_TOKEN is the secret of the same name.`;

interface Target {
  readonly url: string;
  readonly token: string;
  readonly xId: string;
}

interface Flags {
  readonly url?: string | undefined;
  readonly as?: string | undefined;
  readonly kind?: string | undefined;
  readonly reason?: string | undefined;
}

/** Without --url, returns the local environment and its sample operator. @throws if a setting is missing */
function readTarget({ url, as }: Flags): Target {
  if (url === undefined) {
    const { xUserId, token } = localOperator;
    return { url: readSettings(process.env).productUrl, token, xId: as ?? xUserId };
  }
  const token = process.env['OPERATORS_TOKEN'];
  if (token === undefined || as === undefined) {
    throw new Error(`With --url, set OPERATORS_TOKEN and --as.\n\n${USAGE}`);
  }
  return { url: url.replace(/\/$/, ''), token, xId: as };
}

/** @throws an error with the product's message */
async function send({ url, token, xId }: Target, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}/api/operators/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'X-Operator-Id': xId,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const pending: unknown = await response.json().catch(() => null);
  if (response.ok) return pending;
  const { message = '' } = (pending ?? {}) as { message?: string };
  const hint =
    response.status === 404 ? ' (For a wrong token or --as, every address responds with 404.)' : '';
  throw new Error(`${response.status}: ${message}${hint}`);
}

const done = z.object({ message: z.string() });

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      reason: { type: 'string' },
      kind: { type: 'string' },
      handle: { type: 'string' },
      as: { type: 'string' },
      url: { type: 'string' },
    },
  });
  const [command, subjectId] = positionals;
  if (command === undefined) throw new Error(USAGE);
  const target = readTarget(values);
  // Printed to stderr, so that stdout can be piped.
  console.error(`Product: ${target.url}`);
  const print = (pending: unknown) => console.log(JSON.stringify(pending, null, 2));
  if (command === 'now' || command === 'audit') return print(await send(target, command));
  if (subjectId === undefined) throw new Error(USAGE);
  const id = encodeURIComponent(subjectId);
  if (command === 'find') return print(await send(target, `search?search=${id}`));
  if (OPERATORS_PAGES.some((page) => page === command)) {
    return print(await send(target, `${command}/${id}`));
  }
  const { reason, kind, handle } = values;
  if (reason === undefined) throw new Error(`Give a reason: --reason "..."\n\n${USAGE}`);
  const given = { ...(kind !== undefined && { kind }), ...(handle !== undefined && { handle }) };
  const action = { action: command, subjectId, reason, ...given };
  console.log(done.parse(await send(target, 'actions', action)).message);
}

try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
