// Calls a token, and ends the call at +20% or −10%. After a crash, start it again: it finds its call through the API.
import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

const TARGET = 1.2;
const STOP = 0.9;
const DAY_MS = 86_400_000;
const {
  SOLCALLERS_URL: baseUrl = 'http://localhost:8787',
  SOLCALLERS_KEY: key = '',
  HANDLE: handle = '',
  MINT: mint = '',
  POLL_SECONDS: pollSeconds = '30',
} = process.env;

/** Waits for the seconds of `Retry-After`. If they are missing, zero or a date, the bot's usual time. */
const wait = (seconds: string | null = null) =>
  new Promise((resolve) => setTimeout(resolve, (Number(seconds) || Number(pollSeconds)) * 1_000));

/** Repeats the request while the connection fails, the service is down or the API says that its error may pass. */
async function patientFetch(request: Request): Promise<Response> {
  for (;;) {
    let seconds: string | null = null;
    try {
      const response = await fetch(request.clone(), { signal: AbortSignal.timeout(30_000) });
      const text = await response.text();
      const isTemporary =
        response.status === 429 || response.status >= 500 || text.includes('"retryable":true');
      if (!isTemporary) return new Response(text, response);
      seconds = response.headers.get('Retry-After');
      console.log(`Trying again: ${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      console.log(`Trying again: ${error}`);
    }
    await wait(seconds);
  }
}

const api = createClient<paths>({
  baseUrl,
  fetch: patientFetch,
  headers: { Authorization: `Bearer ${key}` },
});

interface Failure {
  readonly error: { readonly code: string };
  readonly message: string;
}

/** Returns the response's data, or stops the bot with the API's error code and message. */
function must<Data>({ data, error }: { data?: Data; error?: Failure }) {
  if (data !== undefined) return data;
  throw new Error(error ? `${error.error.code}: ${error.message}` : 'The response was empty.');
}

/** Finds the bot's call: the active one, or one of the last day. A second call within a day would be unranked. */
async function findCall() {
  const params = { path: { id: handle }, query: { limit: '100' } };
  const calls = must(await api.GET('/api/token-calls/caller/{id}', { params }));
  return calls.find(
    (call) =>
      call.tokenMint === mint && (call.isActive || Date.parse(call.callTimestamp) > Date.now() - DAY_MS),
  );
}

async function openCall() {
  const me = must(
    await api.GET('/api/callers/{usernameOrId}', { params: { path: { usernameOrId: handle } } }),
  );
  const token = must(await api.GET('/api/tokens/{mint}', { params: { path: { mint } } }));
  if (token.price === null) return undefined;
  const { symbol: tokenSymbol, name: tokenName, price: entryPrice } = token;
  const body = { callerId: me.id, tokenMint: mint, tokenSymbol, tokenName, entryPrice };
  const opened = await api.POST('/api/token-calls', { body });
  const code = opened.error?.error.code;
  // The first request arrived, but its response was lost; or the price has moved since it was read.
  if (code === 'calls.already_called' || code === 'calls.price_moved') return undefined;
  return must(opened);
}

let call = await findCall();
while (!call) {
  call = (await openCall()) ?? (await findCall());
  if (!call) await wait();
}
console.log(`Called ${call.tokenSymbol} at ${call.entryPrice}: ${baseUrl}/call/${call.id}`);

const path = { id: call.id };
for (;;) {
  const { isActive, lastPrice, endPrice } = must(
    await api.GET('/api/token-calls/{id}', { params: { path } }),
  );
  if (!isActive) {
    console.log(`Ended at ${endPrice}.`);
    break;
  }
  const factor = Number(lastPrice?.price ?? call.entryPrice) / Number(call.entryPrice);
  if (factor <= STOP || factor >= TARGET) {
    // A gain in the first ten minutes would count as 0%. A loss always counts.
    const query = factor >= TARGET ? { onlyIfCounted: 'true' as const } : {};
    const { error } = await api.PATCH('/api/token-calls/{id}/end', { params: { path, query } });
    // If somebody else ended the call, the next reading shows its result.
    if (!error || error.error.code === 'calls.already_ended') continue;
    if (error.error.code !== 'calls.gain_not_counted') must({ error });
    console.log(error.message);
  }
  await wait();
}
