import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { findService } from './fault-middleware.ts';
import type { Service } from './faults.ts';

/** Number of requests kept, over all services. */
const MOST_REMEMBERED = 5000;

/** `status` is null while the request is in progress, or if its connection was closed. */
export interface LoggedRequest {
  readonly service: Service;
  readonly method: string;
  readonly path: string;
  status: number | null;
}

export type RequestLog = ReturnType<typeof createRequestLog>;

export function createRequestLog() {
  const counts = new Map<Service, number>();
  let newest: LoggedRequest[] = [];
  return {
    begin(request: LoggedRequest) {
      counts.set(request.service, (counts.get(request.service) ?? 0) + 1);
      newest.push(request);
      if (newest.length > 2 * MOST_REMEMBERED) newest = newest.slice(-MOST_REMEMBERED);
    },
    /** Returns how many requests one service (or all of them) got, and the newest requests, oldest first. */
    read(service: Service | undefined) {
      const isIncluded = (each: Service) => service === undefined || each === service;
      const count = [...counts].reduce((sum, [each, number]) => sum + (isIncluded(each) ? number : 0), 0);
      return {
        count,
        requests: newest.slice(-MOST_REMEMBERED).filter((request) => isIncluded(request.service)),
      };
    },
    clear() {
      counts.clear();
      newest = [];
    },
  };
}

/** Records every request to a stand-in's API, even a request that fails because of a fault. */
export function logRequests(log: RequestLog): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async (context, next) => {
    const service = findService(context.req.path);
    if (service === undefined) return next();
    const { pathname, search } = new URL(context.req.url);
    const request: LoggedRequest = {
      service,
      method: context.req.method,
      path: `${pathname}${search}`,
      status: null,
    };
    log.begin(request);
    await next();
    if (!context.env.incoming.socket.destroyed) request.status = context.res.status;
  };
}
