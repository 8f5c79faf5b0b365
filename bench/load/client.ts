import { errorStatuses, type ErrorCode } from '#schema/contracts/errors.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import { RETRY_AFTER_SECONDS } from '#dev/stand-ins/controls/fault-middleware.ts';
import type { FaultHit } from '#dev/stand-ins/controls/faults.ts';

export interface Viewer {
  /** The network address, because the product limits requests per address. */
  readonly address: string;
  /** Undefined for a visitor. */
  readonly id?: string;
  readonly cookie?: string;
}

export interface Requested {
  /** The row of the report that counts the request. */
  readonly kind: string;
  readonly path: string;
  readonly viewer: Viewer;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The documented errors that are expected responses to this request. */
  readonly refusals?: readonly ErrorCode[];
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** The code of an error response. */
  readonly code: string | undefined;
}

export interface Figures {
  refused: number;
  explained: number;
  readonly ms: number[];
}

export interface ClientOptions {
  readonly productUrl: string;
  readonly standInsUrl: string;
  /** Resolves when the schedule allows the next request. */
  readonly nextSlot: () => Promise<void>;
  /** Reports a violation. */
  readonly report: (violation: string) => void;
  /** Whether everything was disturbed at some time since `from`, which explains a 5xx and a broken connection. */
  readonly wasDisturbedSince?: (from: number) => boolean;
  /** Called with every response. */
  readonly inspect: (requested: Requested, reply: Reply) => void;
}

/** The services that an error code blames. */
const BLAMED: readonly { code: RegExp; services: RegExp }[] = [
  { code: /^prices\.undated$/, services: /solana/ },
  { code: /^(?:prices|tokens)\./, services: /jupiter|dexscreener/ },
  { code: /^chain\./, services: /solana/ },
  { code: /^(?:auth|shares)\./, services: /^x$/ },
];
/**
 * After a 429, the product sends a price source no requests until its Retry-After is over. The 429 may take a second to
 * arrive.
 */
const LOOK_BACK_MS = (RETRY_AFTER_SECONDS + 1) * SECOND_MS;

/** X's own limit of sign-ins is passed on as a 429. */
const canBlameOthers = ({ status }: Reply) => status > 500 || status === 429;

export type Client = ReturnType<typeof createClient>;

/** Sends requests by the schedule, and checks every response. */
export function createClient(options: ClientOptions) {
  const { productUrl, standInsUrl, nextSlot, report, inspect, wasDisturbedSince = () => false } = options;
  const figures = new Map<string, Figures>();

  async function isExplained(code: string, from: number): Promise<boolean> {
    const services = BLAMED.find((each) => each.code.test(code))?.services;
    const response = await fetch(`${standInsUrl}/_control/faults/struck`);
    const struck = (await response.json()) as FaultHit[];
    return struck.some(({ service, at }) => at >= from && services?.test(service) === true);
  }

  async function judge({ kind, path, method = 'GET', refusals = [] }: Requested, reply: Reply, from: number) {
    const counted = figures.get(kind) ?? { refused: 0, explained: 0, ms: [] };
    figures.set(kind, counted);
    if (reply.status > 0 && reply.status < 400) return;
    const code = reply.code as ErrorCode;
    const isDocumented = errorStatuses[code] === reply.status;
    if (isDocumented && refusals.includes(code)) counted.refused += 1;
    else if ((reply.status === 0 || reply.status >= 500) && wasDisturbedSince(from)) counted.explained += 1;
    else if (isDocumented && canBlameOthers(reply) && (await isExplained(code, from - LOOK_BACK_MS))) {
      counted.explained += 1;
    } else {
      const text = reply.text.slice(0, 200);
      const where = `${kind}: ${method} ${path.slice(0, 160)}`;
      report(`${where} answered ${reply.status} ${text}`);
    }
  }

  /** Never rejects: status 0 means that the connection broke. */
  async function fetchReply({ path, viewer, method = 'GET', body, headers }: Requested): Promise<Reply> {
    const { address, cookie } = viewer;
    try {
      const response = await fetch(new URL(path, productUrl), {
        method,
        redirect: 'manual',
        headers: {
          'CF-Connecting-IP': address,
          ...(cookie === undefined ? {} : { Cookie: cookie }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
      return { status: response.status, text, headers: response.headers, code: codeOf(response, text) };
    } catch (error) {
      return {
        status: 0,
        text: String((error as Error).cause ?? error),
        headers: new Headers(),
        code: undefined,
      };
    }
  }

  return {
    figures,
    async send(requested: Requested): Promise<Reply> {
      await nextSlot();
      const [from, startedAt] = [Date.now(), performance.now()];
      const reply = await fetchReply(requested);
      const ms = performance.now() - startedAt;
      inspect(requested, reply);
      await judge(requested, reply, from);
      figures.get(requested.kind)?.ms.push(ms);
      return reply;
    },
  };
}

function codeOf({ status, headers }: Response, text: string): string | undefined {
  if (status < 400) return undefined;
  // Error pages have no code.
  if (!headers.get('Content-Type')?.includes('json')) return status === 404 ? 'request.not_found' : undefined;
  return (JSON.parse(text) as { error?: { code?: string } }).error?.code;
}

/** The body of a successful response. Null after an error. */
export function readJson<Body>({ status, text }: Reply): Body | null {
  if (status < 200 || status >= 300) return null;
  return JSON.parse(Buffer.from(text, 'latin1').toString('utf8')) as Body;
}

export const cookiesOf = ({ headers }: Reply): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
