import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { describeRoutes } from './route.ts';

describe('the facts of a route', () => {
  it('are missing from no route, or the app refuses to start', () => {
    const app = new Hono().get('/api/calls', (c) => c.text('No facts'));
    expect(() => describeRoutes(app.routes)).toThrow('GET /api/calls has no facts');
  });
});
