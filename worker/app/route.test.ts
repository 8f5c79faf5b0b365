import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { describeRoutes } from './route.ts';

it('describeRoutes throws if a route has no metadata', () => {
  const app = new Hono().get('/api/calls', (c) => c.text('No metadata'));
  expect(() => describeRoutes(app.routes)).toThrow('GET /api/calls has no metadata');
});
