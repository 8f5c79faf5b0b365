import { STATUS_CODES } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Faults, Service } from './faults.ts';

export const RETRY_AFTER_SECONDS = 3;
const X_WINDOW_SECONDS = 900;

/** Faults apply only to these APIs. The stand-ins' pages, images and icons keep working. */
const faultyPaths: readonly { service: Service; pattern: RegExp }[] = [
  { service: 'x', pattern: /^\/x\/(?:2|i)\// },
  { service: 'telegram', pattern: /^\/telegram\/bot\d+:/ },
  { service: 'jupiter', pattern: /^\/jupiter\/(?:tokens|price)\// },
  { service: 'dexscreener', pattern: /^\/dexscreener\// },
  { service: 'witness', pattern: /^\/witness\// },
  { service: 'push', pattern: /^\/push\// },
];

export function findService(path: string): Service | undefined {
  return faultyPaths.find(({ pattern }) => pattern.test(path))?.service;
}

export function applyFaults(faults: Faults): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async (context, next) => {
    const service = findService(context.req.path);
    if (service === undefined) return next();
    const verdict = await faults.apply(service, { path: context.req.path, method: context.req.method });
    if (verdict?.drop === true) {
      context.env.incoming.socket.destroy();
      return context.body(null);
    }
    if (verdict?.status !== undefined) {
      if (verdict.status === 429) setResetHeader(context, service);
      return context.json(failureBody(service, verdict.status), verdict.status as ContentfulStatusCode);
    }
    await next();
    if (verdict?.cutResponse === true) await cutResponse(context);
  };
}

/** X sends the end of its window, and no `Retry-After` (https://docs.x.com/fundamentals/rate-limits). */
function setResetHeader(context: Context, service: Service): void {
  if (service !== 'x') return context.header('retry-after', String(RETRY_AFTER_SECONDS));
  return context.header(
    'x-rate-limit-reset',
    String(Math.ceil(Date.now() / 1_000 / X_WINDOW_SECONDS) * X_WINDOW_SECONDS),
  );
}

async function cutResponse(context: Context): Promise<void> {
  const { status, headers } = context.res;
  const text = truncateToHalf(await context.res.text());
  // Without this, Hono would merge the headers of both responses.
  context.res = undefined;
  context.res = new Response(text, { status, headers });
}

export function truncateToHalf(text: string): string {
  return text.slice(0, Math.floor(text.length / 2));
}

function failureBody(service: Service, status: number): object {
  const title = STATUS_CODES[status] ?? 'Error';
  if (service === 'x') return { title, type: 'about:blank', status, detail: title };
  if (service === 'telegram') {
    const descriptions: Record<number, string> = {
      403: `${title}: bot was blocked by the user`,
      429: `${title}: retry after ${RETRY_AFTER_SECONDS}`,
    };
    const description = descriptions[status] ?? title;
    const parameters = status === 429 ? { parameters: { retry_after: RETRY_AFTER_SECONDS } } : {};
    return { ok: false, error_code: status, description, ...parameters };
  }
  return { code: status, message: title };
}
