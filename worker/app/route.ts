import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { RouterRoute } from 'hono/types';
import type { z } from 'zod';
import type { Operator } from '../modules/running/operators/operators.service.ts';
import type { AppEnv } from './context.ts';
import { requireOperator } from './operators.ts';
import type { ApiFacts, RateLimitName, RouteMetadata, SessionRule } from './route-facts.ts';
import { identifyViewer, requireUserOr, type SignedInEnv } from './session.ts';
import { validationOf } from './validate.ts';

type Facts = RouteMetadata | ApiFacts;
type WithSession<Rule extends SessionRule> = Facts & { readonly session: Rule };
type OperatorEnv = AppEnv & { Variables: { operator: Operator } };

const factsOfHandlers = new WeakMap<object, Facts>();

/**
 * The first middleware of every route. It holds the route's metadata, which the app applies before the handler runs,
 * and enforces the session rule.
 */
export function route(facts: WithSession<'required'>): MiddlewareHandler<SignedInEnv>;
export function route(facts: WithSession<'operator'>): MiddlewareHandler<OperatorEnv>;
export function route(facts: Facts): MiddlewareHandler<AppEnv>;
export function route(facts: Facts): MiddlewareHandler {
  const enforce: MiddlewareHandler = enforcementOf(facts);
  const handler: MiddlewareHandler = (c, next) => enforce(c, next);
  factsOfHandlers.set(handler, facts.cache === undefined ? facts : { apiKey: 'read', ...facts });
  return handler;
}

type SharedFacts = Pick<ApiFacts, 'apiKey' | 'limit' | 'session' | 'tag'>;
type OtherFacts = Omit<ApiFacts, 'limit' | 'session' | 'tag'>;
type RouteWith<Env extends AppEnv> = (facts: OtherFacts) => MiddlewareHandler<Env>;

export function routeWith(shared: SharedFacts & { readonly session: 'required' }): RouteWith<SignedInEnv>;
export function routeWith(shared: SharedFacts & { readonly session: 'operator' }): RouteWith<OperatorEnv>;
export function routeWith(shared: SharedFacts): RouteWith<AppEnv>;
export function routeWith(shared: SharedFacts) {
  return (facts: OtherFacts): MiddlewareHandler => route({ ...shared, ...facts });
}

export function signedInRoutes(tag: ApiFacts['tag']) {
  const withLimit = (limit: RateLimitName) => routeWith({ session: 'required', tag, limit });
  return { read: withLimit('reads'), write: withLimit('writes'), costly: withLimit('costly') };
}

function enforcementOf({ session, createSignInError }: RouteMetadata): MiddlewareHandler {
  if (session === 'required') return requireUserOr(createSignInError);
  if (session === 'optional') return identifyViewer;
  return session === 'operator' ? requireOperator : (_c, next) => next();
}

export function metadataOf(c: Context): RouteMetadata | undefined {
  for (const { handler } of matchedRoutes(c)) {
    const facts = factsOfHandlers.get(handler);
    if (facts) return facts;
  }
  return undefined;
}

export interface DescribedRoute {
  readonly route: string;
  readonly facts: Facts;
  readonly schemas: Partial<Record<string, z.ZodType>>;
}

/** All routes of an app, in alphabetical order. @throws Error if a route doesn't begin with the middleware `route` */
export function describeRoutes(routes: readonly RouterRoute[]): DescribedRoute[] {
  const registered = routes.filter(({ method }) => method !== 'ALL');
  const byRoute = Map.groupBy(registered, ({ method, path }) => `${method} ${path}`);
  return [...byRoute]
    .map(([name, [first, ...others]]) => {
      const facts = first && factsOfHandlers.get(first.handler);
      if (!facts) throw new Error(`${name} has no metadata: begin with worker/app/route.ts.`);
      const validations = others.flatMap(({ handler }) => validationOf(handler) ?? []);
      const schemas = Object.fromEntries(validations.map(({ target, schema }) => [target, schema]));
      return { route: name, facts, schemas };
    })
    .toSorted((one, other) => (one.route < other.route ? -1 : 1));
}
