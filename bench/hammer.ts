// One network address sends 200 requests a second to every route of a running product, while other people use
// it. Reports how fast the other people get their responses, compared with an idle minute of the same run.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { DOCUMENT_VERSIONS, SECOND_MS } from '#schema/constants.ts';

const [productUrl = 'http://localhost:8787', standInsUrl = 'http://localhost:8788'] = process.argv.slice(2);
const PER_SECOND = 200;
const IDLE_MS = 20 * SECOND_MS;
const ATTACK_MS = 60 * SECOND_MS;
/** Together, the other people take one step every quarter of a second. */
const STEP_MS = 250;
const ATTACKER = '198.51.100.66';
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

interface Person {
  readonly id: string;
  readonly address: string;
  readonly cookie: string;
}

interface Outcome {
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

interface Sent {
  readonly method?: string;
  readonly cookie?: string;
  readonly body?: unknown;
}

async function send(address: string, path: string, { method = 'GET', cookie, body }: Sent = {}) {
  const startedAt = performance.now();
  const response = await fetch(new URL(path, productUrl), {
    method,
    redirect: 'manual',
    headers: {
      'CF-Connecting-IP': address,
      ...(cookie === undefined ? {} : { Cookie: cookie }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    path,
    status: response.status,
    ms: performance.now() - startedAt,
    text,
    headers: response.headers,
  };
}

const cookiesOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

async function signIn(handle: string, address: string): Promise<Person> {
  const start = await send(address, '/api/auth/twitter');
  const consent = await fetch(`${start.headers.get('Location')}&login_as=${handle}`, { redirect: 'manual' });
  const callback = consent.headers.get('Location') ?? '';
  const signedIn = await send(address, callback, { cookie: cookiesOf(start.headers) });
  const cookie = cookiesOf(signedIn.headers);
  const user = JSON.parse((await send(address, '/api/auth/user', { cookie })).text) as { id: string };
  return { id: user.id, address, cookie };
}

/** Reads every route with its method from the page that the tests generate. */
const routes = readFileSync(new URL('../docs/LIMITS.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => /^\| `([A-Z]+) (\/\S*)` \|/.exec(line)?.slice(1, 3) ?? [])
  .reduce<string[][]>((pairs, text, index) => {
    if (index % 2 === 0) pairs.push([text]);
    else pairs.at(-1)?.push(text);
    return pairs;
  }, []);

const randomText = (length: number, letters = BASE58) =>
  Array.from({ length }, () => letters[Math.floor(Math.random() * letters.length)]).join('');
const randomMint = () => `Hammer${randomText(37)}`;

/** Status 0 means that the connection broke. */
function attackOnce(count: number, cookie: string): Promise<Outcome> {
  const [method = 'GET', pattern = '/'] = routes[count % routes.length] ?? [];
  const filled = pattern
    .replace(/:part\{.*\}/, 'sitemap-pages.xml')
    .replaceAll(/:\w+/g, () => (count % 3 === 0 ? randomMint() : crypto.randomUUID()));
  const path =
    filled === '/api/prices' ? `${filled}?mints=${Array.from({ length: 100 }, randomMint)}` : filled;
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
  const signedIn = count % 2 === 0 ? { cookie } : {};
  return send(ATTACKER, path, { method, ...body, ...signedIn }).catch(() => ({ path, status: 0, ms: 0 }));
}

const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';

/** Makes a call and ends it. */
async function callOnce({ id, address, cookie }: Person): Promise<Outcome[]> {
  const looked = await send(address, `/api/tokens/${WIF}`, { cookie });
  const { price } = JSON.parse(looked.text) as { price?: string };
  const body = {
    tokenMint: WIF,
    tokenSymbol: 'WIF',
    tokenName: 'dogwifhat',
    entryPrice: price,
    callerId: id,
  };
  const made = await send(address, '/api/token-calls', { method: 'POST', cookie, body });
  const call = JSON.parse(made.text) as { id?: string };
  const ended = await send(address, `/api/token-calls/${call.id}/end`, { method: 'PATCH', cookie });
  return [looked, made, ended];
}

const reads = (handle: string) => [
  '/',
  '/api/callers',
  '/api/token-calls/ended',
  `/api/callers/${handle}`,
  `/caller/${handle}`,
  `/api/prices?mints=${WIF}`,
  '/api/auth/user',
  '/api/subscriptions/calls',
];

async function useProduct(people: readonly Person[], { ms, calls }: { ms: number; calls: number }) {
  const outcomes: Outcome[] = [];
  const calling: Outcome[] = [];
  const endsAt = Date.now() + ms;
  const callers = people.slice(0, calls).map(async (person, index) => {
    await pause((index + 0.5) * (ms / calls));
    calling.push(...(await callOnce(person)));
  });
  const readers = people.map(async ({ address, cookie }, index) => {
    await pause((index * STEP_MS) / people.length);
    for (let step = index; Date.now() < endsAt; step++) {
      const paths = reads('amara_calls');
      outcomes.push(await send(address, paths[step % paths.length] ?? '/', { cookie }));
      await pause(STEP_MS);
    }
  });
  await Promise.all([...readers, ...callers]);
  return { outcomes, calling };
}

async function attack(cookie: string): Promise<Outcome[]> {
  const sent: Promise<Outcome>[] = [];
  const startedAt = Date.now();
  while (Date.now() - startedAt < ATTACK_MS) {
    const due = ((Date.now() - startedAt) / SECOND_MS) * PER_SECOND;
    while (sent.length < due) sent.push(attackOnce(sent.length, cookie));
    await pause(5);
  }
  return Promise.all(sent);
}

const percentile = (outcomes: readonly Outcome[], part: number) =>
  outcomes.map(({ ms }) => ms).toSorted((one, other) => one - other)[Math.floor(outcomes.length * part)] ?? 0;
const countBy = (outcomes: readonly Outcome[]) =>
  Object.fromEntries(
    [...Map.groupBy(outcomes, ({ status }) => status)].map(([status, group]) => [status, group.length]),
  );
const isFine = ({ status }: Outcome) => status < 400;

const run = randomText(6, 'abcdefghij');
const people: Person[] = [];
for (const number of [1, 2, 3, 4]) {
  const person = await signIn(`hammer_${run}_${number}`, `203.0.113.${number}`);
  await send(person.address, '/api/user/acceptances', {
    method: 'POST',
    cookie: person.cookie,
    body: DOCUMENT_VERSIONS,
  });
  await send(person.address, '/api/user/become-caller', {
    method: 'POST',
    cookie: person.cookie,
    body: { subscriptionPrice: '' },
  });
  people.push(person);
}
const attacker = await signIn(`hammer_${run}_x`, ATTACKER);

await useProduct(people, { ms: 5 * SECOND_MS, calls: 0 });
const idle = await useProduct(people, { ms: IDLE_MS, calls: 1 });
const requestsFrom = new Date().toISOString();
const [busy, attacks] = await Promise.all([
  useProduct(people, { ms: ATTACK_MS, calls: people.length }),
  attack(attacker.cookie),
]);
const asked = (await (await fetch(`${standInsUrl}/_control/requests`)).json()) as {
  requests: { service: string; status: number; at?: string }[];
};
const sources = asked.requests.filter(
  ({ service, at }) => /jupiter|dexscreener/.test(service) && (at === undefined || at >= requestsFrom),
);

console.log(`The attacker sent ${attacks.length} requests:`, countBy(attacks));
console.log(
  'Server errors to the attacker:',
  attacks.filter(({ status }) => status >= 500),
);
console.log('Others, idle:', countBy(idle.outcomes), 'meanwhile:', countBy(busy.outcomes));
console.log('Calls made and ended meanwhile:', countBy(busy.calling));
console.table(
  [0.5, 0.95].map((part) => ({
    percentile: part,
    'idle ms': percentile(idle.outcomes, part).toFixed(1),
    'meanwhile ms': percentile(busy.outcomes, part).toFixed(1),
    ratio: (percentile(busy.outcomes, part) / percentile(idle.outcomes, part)).toFixed(2),
  })),
);
console.log(
  `Requests to the price sources: ${sources.length}, refused by them: ${sources.filter(({ status }) => status === 429).length}`,
);
const others = [...busy.outcomes, ...busy.calling];
if (others.every(isFine) && attacks.every(({ status }) => status < 500)) console.log('Nobody else noticed.');
else {
  console.log(
    'Failures of others:',
    others.filter((outcome) => !isFine(outcome)),
  );
  process.exitCode = 1;
}
