// Calls a token, and ends the call at +20% or −10%.
import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

const TARGET = 1.2;
const STOP = 0.9;
const {
  SOLCALLERS_URL: baseUrl = 'http://localhost:8787',
  SOLCALLERS_KEY: key = '',
  HANDLE: handle = '',
  MINT: mint = '',
  POLL_SECONDS: pollSeconds = '30',
} = process.env;

const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/** Waits and tries again if the API says so. */
async function patientFetch(request: Request): Promise<Response> {
  for (;;) {
    const response = await fetch(request.clone());
    if (response.status !== 429) return response;
    await wait(Number(response.headers.get('Retry-After') ?? '60'));
  }
}

const api = createClient<paths>({
  baseUrl,
  fetch: patientFetch,
  headers: { Authorization: `Bearer ${key}` },
});

/** Returns the response's data, or stops the bot with the API's error code and message. */
function must<Data>({ data, error }: { data?: Data; error?: { error: { code: string }; message: string } }) {
  if (data !== undefined) return data;
  throw new Error(error ? `${error.error.code}: ${error.message}` : 'The response was empty.');
}

const me = must(await api.GET('/api/callers/{usernameOrId}', { params: { path: { usernameOrId: handle } } }));
const token = must(await api.GET('/api/tokens/{mint}', { params: { path: { mint } } }));
if (token.price === null) throw new Error(`${token.symbol} has no price.`);

const call = must(
  await api.POST('/api/token-calls', {
    body: {
      callerId: me.id,
      tokenMint: mint,
      tokenSymbol: token.symbol,
      tokenName: token.name,
      entryPrice: token.price,
    },
  }),
);
console.log(`Called ${call.tokenSymbol} at ${call.entryPrice}: ${baseUrl}/call/${call.id}`);

const byId = { params: { path: { id: call.id } } };
for (;;) {
  await wait(Number(pollSeconds));
  const { lastPrice, isActive } = must(await api.GET('/api/token-calls/{id}', byId));
  const factor = Number(lastPrice?.price ?? call.entryPrice) / Number(call.entryPrice);
  if (isActive && factor > STOP && factor < TARGET) continue;
  const ended = isActive ? must(await api.PATCH('/api/token-calls/{id}/end', byId)) : null;
  console.log(ended ? `Ended at ${ended.endPrice}.` : 'Somebody else has ended the call.');
  break;
}
