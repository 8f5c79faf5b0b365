import { Hono, type Context } from 'hono';
import { isLoopbackUrl } from '../controls/same-origin.ts';
import { z } from 'zod';
import type { Webhook } from './chat-state.ts';
import type { BotProblem, Chats } from './chats.ts';
import type { RequestLimit, RequestRate } from '../market/request-limit.ts';
import { readJsonParameter } from './json-parameter.ts';

const SEND_RATE: RequestRate = { limit: 30, windowMs: 1_000 };
const RETRY_AFTER_SECONDS = 1;
const TOKEN_PATTERN = /^bot\d+:[A-Za-z0-9_-]{10,}$/;
const SECRET_PATTERN = /^[A-Za-z0-9_-]{1,256}$/;

const commandsParameter = z
  .array(
    z.object({ command: z.string().regex(/^\/?[a-z0-9_]{1,32}$/), description: z.string().min(1).max(256) }),
  )
  .max(100);

type Parameters = Record<string, unknown>;
type Method = (context: Context, parameters: Parameters) => Response;

/** The stand-in for api.telegram.org. It has a single bot and accepts every well-formed token for it. */
export function createBotRoutes({ chats, sendLimit }: { chats: Chats; sendLimit: RequestLimit }): Hono {
  const methods: Readonly<Record<string, Method>> = {
    getme: (c) =>
      succeed(c, {
        ...chats.bot,
        can_join_groups: false,
        can_read_all_group_messages: false,
        supports_inline_queries: false,
      }),
    sendmessage: (c, parameters) => {
      if (!sendLimit.take(SEND_RATE)) {
        return fail(c, {
          status: 429,
          description: `Too Many Requests: retry after ${RETRY_AFTER_SECONDS}`,
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      }
      const result = chats.send(parameters);
      return isProblem(result) ? fail(c, result) : succeed(c, result);
    },
    setmycommands: (c, parameters) => {
      const commands = commandsParameter.safeParse(readJsonParameter(parameters['commands']));
      if (!commands.success) return fail(c, { status: 400, description: 'Bad Request: BOT_COMMAND_INVALID' });
      chats.setCommands(
        commands.data.map(({ command, description }) => ({ command: command.replace('/', ''), description })),
      );
      return c.json({ ok: true, result: true });
    },
    getmycommands: (c) => succeed(c, chats.commands()),
    setwebhook: (c, parameters) => {
      const webhook = readWebhook(parameters);
      if (webhook !== null && isProblem(webhook)) return fail(c, webhook);
      return changeWebhook(c, { webhook, parameters });
    },
    deletewebhook: (c, parameters) => changeWebhook(c, { webhook: null, parameters }),
    getwebhookinfo: (c) => {
      const webhook = chats.webhook();
      const error = chats.lastError();
      return succeed(c, {
        url: webhook?.url ?? '',
        has_custom_certificate: false,
        pending_update_count: chats.pendingCount(),
        max_connections: 40,
        ...(error === undefined ? {} : { last_error_date: error.date, last_error_message: error.message }),
        ...(webhook?.allowedUpdates == null ? {} : { allowed_updates: webhook.allowedUpdates }),
      });
    },
  };

  function changeWebhook(
    context: Context,
    { webhook, parameters }: { webhook: Webhook | null; parameters: Parameters },
  ): Response {
    chats.setWebhook(webhook, { dropPending: String(parameters['drop_pending_updates']) === 'true' });
    return context.json({
      ok: true,
      result: true,
      description: webhook === null ? 'Webhook was deleted' : 'Webhook was set',
    });
  }

  return new Hono().all('/:bot/:method', async (c, next) => {
    if (!/^bot\d/.test(c.req.param('bot'))) return next();
    // The Bot API ignores the case of a method.
    const name = c.req.param('method').toLowerCase();
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (method === undefined || !TOKEN_PATTERN.test(c.req.param('bot'))) {
      return c.json({ ok: false, error_code: 404, description: 'Not Found' }, 404);
    }
    return method(c, await readParameters(c));
  });
}

/** Parameters may come in the query, as JSON or as a form. */
async function readParameters(context: Context): Promise<Parameters> {
  const isJson = context.req.header('content-type')?.startsWith('application/json') === true;
  const body: unknown = await (isJson ? context.req.json() : context.req.parseBody()).catch(() => ({}));
  return { ...context.req.query(), ...(typeof body === 'object' ? body : {}) };
}

function readWebhook(parameters: Parameters): Webhook | BotProblem | null {
  const address = String(parameters['url'] ?? '');
  if (address === '') return null;
  const url = URL.parse(address);
  // The real API requires https. The stand-in requires a URL on this machine, which has no certificate.
  if (url === null || !isLoopbackUrl(url)) {
    return {
      status: 400,
      description: 'Bad Request: bad webhook: the local stand-in posts to addresses of this machine only',
    };
  }
  const secret = parameters['secret_token'];
  if (secret !== undefined && !SECRET_PATTERN.test(String(secret))) {
    return { status: 400, description: 'Bad Request: secret token contains unallowed characters' };
  }
  return {
    url: url.href,
    secretToken: secret === undefined ? null : String(secret),
    allowedUpdates: readAllowedUpdates(parameters['allowed_updates']),
  };
}

function readAllowedUpdates(value: unknown): string[] | null {
  const list = readJsonParameter(value);
  return Array.isArray(list) ? list.map(String) : null;
}

function isProblem(result: object): result is BotProblem {
  return 'status' in result && 'description' in result;
}

function succeed(context: Context, result: object): Response {
  return context.json({ ok: true, result });
}

function fail(context: Context, { status, description, retryAfterSeconds }: BotProblem): Response {
  const parameters =
    retryAfterSeconds === undefined ? {} : { parameters: { retry_after: retryAfterSeconds } };
  return context.json({ ok: false, error_code: status, description, ...parameters }, status);
}
