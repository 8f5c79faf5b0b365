import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { describeRoutes } from './route.ts';

it('the facts of a route are missing from no route, or the app refuses to start', () => {
  const app = new Hono().get('/api/calls', (c) => c.text('No facts'));
  expect(() => describeRoutes(app.routes)).toThrow('GET /api/calls has no facts');
});
