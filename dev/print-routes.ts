// Prints every route with the metadata beside its handler: `npm run routes`.
import { listRoutes } from '#worker/list-routes.ts';

const rows = listRoutes().map(({ route, facts }) => ({
  route,
  limit: facts.limit,
  session: facts.session ?? '',
  apiKey: facts.apiKey ?? '',
  replica: facts.replica === true ? 'yes' : '',
  cache: facts.cache ?? 'private, no-store',
}));

console.table(rows);
