import { createApp } from './app/app.ts';
import { describeRoutes, type DescribedRoute } from './app/route.ts';

/** All routes with their facts, for tools and tests, which don't need the services. */
export function listRoutes(): DescribedRoute[] {
  const servicesFor = () => {
    throw new Error('This app only lists its routes.');
  };
  return describeRoutes(createApp({ servicesFor }).routes);
}
