// Prints every route with the facts beside its handler: `npm run routes`.
import { RATE_LIMITS } from '#schema/constants.ts';
import { limitOf } from '#worker/app/limit-requests.ts';
import { listRoutes } from '#worker/app/list-routes.ts';

const rows = listRoutes().map(({ route, facts }) => {
  const { limit, isPerPerson } = limitOf(route, facts);
  return {
    route,
    session: facts.session ?? 'none',
    'a minute': RATE_LIMITS[limit],
    per: isPerPerson ? 'person, else address' : 'address',
    replica: facts.replica === true ? 'yes' : '',
    cache: facts.cache ?? 'private, no-store',
  };
});

console.table(rows);
