import type { Wrangler } from './wrangler.ts';

export interface Observed {
  readonly requests: number;
  /** Requests that threw, exceeded a limit, or answered 500 or more. */
  readonly errors: number;
}

/** A line of `wrangler tail`, as far as we read it. */
interface TailEvent {
  readonly outcome?: string;
  readonly event?: { readonly response?: { readonly status?: number } } | null;
}

const GOOD_OUTCOMES = new Set(['ok', 'canceled', 'responseStreamDisconnected']);

/** Watches the requests that one version answers for some time. Cloudflare may send a sample if there are many. */
export async function watchErrors(
  wrangler: Wrangler,
  {
    worker,
    version,
    milliseconds,
  }: { readonly worker: string; readonly version: string; readonly milliseconds: number },
): Promise<Observed> {
  const args = ['tail', worker, '--version-id', version, '--format', 'json'];
  const events = parseEvents(await wrangler.watch(milliseconds, ...args));
  return { requests: events.length, errors: events.filter(isError).length };
}

const isError = ({ outcome = 'ok', event }: TailEvent) =>
  !GOOD_OUTCOMES.has(outcome) || (event?.response?.status ?? 200) >= 500;

/** Events are indented JSON objects, one after the other. The last one may be cut off. */
function parseEvents(output: string): readonly TailEvent[] {
  return output.split(/\n(?=\{)/).flatMap((text) => {
    try {
      return text.trimStart().startsWith('{') ? [JSON.parse(text) as TailEvent] : [];
    } catch {
      return [];
    }
  });
}
