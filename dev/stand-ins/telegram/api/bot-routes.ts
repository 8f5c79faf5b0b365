import { Hono, type Context } from 'hono';
import { BotError } from '../bot-error.ts';
import type { Telegram } from '../telegram.ts';

const TOKEN_PATTERN = /^bot\d+:[A-Za-z0-9_-]{10,}$/;
const webhookTexts: Readonly<Record<string, string>> = {
  setwebhook: 'Webhook was set',
  deletewebhook: 'Webhook was deleted',
};

/** The stand-in for api.telegram.org. It has a single bot and accepts every well-formed token for it. */
export function createBotRoutes({ telegram }: { telegram: Telegram }): Hono {
  return new Hono().all('/:bot/:method', async (c, next) => {
    if (!/^bot\d/.test(c.req.param('bot'))) return next();
    // The Bot API ignores the case of a method.
    const name = c.req.param('method').toLowerCase();
    if (!telegram.hasMethod(name) || !TOKEN_PATTERN.test(c.req.param('bot'))) {
      return c.json({ ok: false, error_code: 404, description: 'Not Found' }, 404);
    }
    try {
      const parameters = await readParameters(c);
      const result = await telegram.call(name, { parameters, origin: c.req.url });
      return c.json({ ok: true, result, ...describeSuccess(name, parameters) });
    } catch (error) {
      if (!(error instanceof BotError)) throw error;
      const { status, message: description, parameters } = error;
      const extra = parameters === undefined ? {} : { parameters };
      return c.json({ ok: false, error_code: status, description, ...extra }, status);
    }
  });
}

function describeSuccess(method: string, { url }: Record<string, unknown>): object {
  const isRemoval = method === 'setwebhook' && (url === undefined || url === '');
  const description = webhookTexts[isRemoval ? 'deletewebhook' : method];
  return description === undefined ? {} : { description };
}

/** Parameters may come in the query, as JSON or as a form. */
async function readParameters(context: Context): Promise<Record<string, unknown>> {
  const isJson = context.req.header('content-type')?.startsWith('application/json') === true;
  const body: unknown = await (isJson ? context.req.json() : context.req.parseBody()).catch(() => ({}));
  return { ...context.req.query(), ...(typeof body === 'object' ? body : {}) };
}
