import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { findService } from './fault-middleware.ts';
import type { Service } from './faults.ts';

/** Of a long evening with the local world, how many requests of each service are remembered. */
const MOST_REMEMBERED = 5000;

/** A request that a stand-in was asked; `status` is null while it is under way, and for one that was cut off. */
export interface LoggedRequest {
  readonly service: Service;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  status: number | null;
}

/** What the stand-ins behind HTTP were asked. */
export interface RequestLog {
  begin(request: LoggedRequest): void;
  /** How many there were, and the newest of them in their order; of all services unless told. */
  read(service: Service | undefined): { count: number; requests: readonly LoggedRequest[] };
  forget(): void;
}

export function createRequestLog(): RequestLog {
  const counts = new Map<Service, number>();
  let newest: LoggedRequest[] = [];
  return {
    begin(request) {
      counts.set(request.service, (counts.get(request.service) ?? 0) + 1);
      newest.push(request);
      if (newest.length > 2 * MOST_REMEMBERED) newest = newest.slice(-MOST_REMEMBERED);
    },
    read(service) {
      const isAsked = (each: Service) => service === undefined || each === service;
      const count = [...counts].reduce((sum, [each, number]) => sum + (isAsked(each) ? number : 0), 0);
      return {
        count,
        requests: newest.slice(-MOST_REMEMBERED).filter((request) => isAsked(request.service)),
      };
    },
    forget() {
      counts.clear();
      newest = [];
    },
  };
}

/** Notes every request to a stand-in's API, those that a fault strikes included. */
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
