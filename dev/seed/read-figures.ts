// Prints what the API says about every sample caller, as one line of JSON. Runs the product in this process on the
// sample data, with a clock at the end of the data's history, and changes nothing.
import type {
  CallerListItem,
  CallerProfile,
  CallerStatistics,
  CopiedCall,
} from '#schema/contracts/callers.ts';
import type { CallDetail, TokenCall } from '#schema/contracts/calls.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { findDatabase } from '../local/data-folder.ts';
import { productVars } from '../local/product-vars.ts';
import { readSettings, stateDirOf } from '../settings.ts';
import { createBindings, createMemoryBucket } from './bindings.ts';
import { allowWorkerImports } from './load-worker.ts';
import { openLocalD1 } from './local-d1.ts';
import { openHistoricalEnvironment } from './past-environment.ts';

/** Responses of the API, most of them to the caller. */
export interface CallerResponses {
  readonly listed: CallerListItem;
  readonly profile: CallerProfile;
  readonly statistics: CallerStatistics;
  readonly calls: readonly TokenCall[];
  readonly ended: readonly CallDetail[];
  readonly copied: readonly CopiedCall[];
  readonly subscriptions: readonly Subscription[];
}

allowWorkerImports();
console.log = () => undefined;
const { createApp } = await import('#worker/app/app.ts');
const { createServices } = await import('#worker/app/services.ts');

const settings = readSettings(process.env);
const { productUrl } = settings;
const now = Number(process.argv[2]);
const environment = openHistoricalEnvironment({ settings, now: () => now });
const database = openLocalD1(findDatabase(stateDirOf(settings)));
const bindings = createBindings({
  database: { ...database, withSession: () => database },
  bucket: createMemoryBucket(),
  vars: productVars({ productUrl, environment }),
});
const clock = { now: () => now, sleep: () => Promise.resolve() };
const services = createServices(bindings, { clock });
const app = createApp({ servicesFor: () => services });

const request = (path: string, cookie: string): Promise<Response> =>
  Promise.resolve(app.fetch(new Request(new URL(path, productUrl), { headers: { cookie } }), bindings));

async function read<Body>(path: string, cookie = ''): Promise<Body> {
  const response = await request(path, cookie);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}

/** All pages of a list. */
async function readAll<Row>(path: string, cookie = ''): Promise<Row[]> {
  const response = await request(path, cookie);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const rows = (await response.json()) as Row[];
  const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  return next === undefined ? rows : [...rows, ...(await readAll<Row>(next, cookie))];
}

const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

async function signIn(handle: string): Promise<string> {
  const start = await request('/api/auth/twitter', '');
  const authorize = await fetch(`${start.headers.get('Location')}&login_as=${handle}`, {
    redirect: 'manual',
  });
  return cookiesOf(await request(authorize.headers.get('Location') ?? '', cookiesOf(start)));
}

const responses: CallerResponses[] = [];
for (const listed of await readAll<CallerListItem>('/api/callers')) {
  const { id, twitterHandle } = listed;
  const cookie = await signIn(twitterHandle);
  const calls = await readAll<TokenCall>(`/api/token-calls/caller/${id}`, cookie);
  const ended: CallDetail[] = [];
  for (const call of calls.filter(({ isActive }) => !isActive)) {
    ended.push(await read<CallDetail>(`/api/token-calls/${call.id}`, cookie));
  }
  responses.push({
    listed,
    profile: await read<CallerProfile>(`/api/callers/${twitterHandle}`, cookie),
    statistics: await read<CallerStatistics>(`/api/callers/${twitterHandle}/statistics`, cookie),
    calls,
    ended,
    copied: await read<CopiedCall[]>(`/api/callers/${id}/results`),
    subscriptions: await readAll<Subscription>(`/api/subscriptions/caller/${id}`, cookie),
  });
}
environment.close();
// A pipe may take the text in parts, so wait until it's written.
process.stdout.write(JSON.stringify(responses), () => process.exit(0));
