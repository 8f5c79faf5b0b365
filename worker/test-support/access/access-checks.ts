import { PRIVATE } from '../../app/cache-control.ts';
import { ACCESS_RULES, type AccessRequest, type AccessRule } from './access-rules.ts';
import {
  KEY_OWNERS,
  SECRET_IDS,
  SIGNED_IN,
  VIEWERS,
  type AccessEnvironment,
  type Secret,
  type SecretName,
  type Subject,
  type Viewer,
} from './access-environment.ts';
import { captureLogs } from '../capture-logs.ts';
import { readDatabase } from '../database/database.ts';
import { createRandom } from '../seeded-random.ts';

export interface AccessResponse {
  readonly status: number;
  readonly cacheControl: string;
  /** The headers and the body, with an image's bytes as text. */
  readonly text: string;
}

export interface AccessOptions {
  /** Number of viewers, chosen at random, who request each route. Default: all. */
  readonly viewersPerRoute?: number;
  readonly seed?: number;
  /** Changes responses, to simulate a missing check. */
  readonly change?: (reply: AccessResponse) => AccessResponse;
}

export interface AccessReport {
  readonly checks: number;
  readonly leaks: readonly string[];
}

export interface Checking extends AccessOptions {
  readonly environment: AccessEnvironment;
  readonly logs: readonly string[];
  /** Counts a check, and reports a leak unless it passed. */
  expect(hasPassed: boolean, leak: string): void;
}

interface SentRequest {
  readonly route: string;
  readonly viewer: Viewer;
  readonly rule: AccessRule;
}

interface Replied extends SentRequest {
  /** The request's place among those of its rule. */
  readonly index: number;
  readonly reply: AccessResponse;
  readonly where: string;
}

/** Ends the check after the first leak if `untilFirst` is set. */
class FoundLeak extends Error {}

/**
 * Requests routes as every kind of viewer. Reports four kinds of leaks:
 * - a response or a log contains data that the viewer may not see,
 * - responses for hidden data differ from responses for unknown ids,
 * - shared caches may store a response that only some viewers may see,
 * - a request changes other people's rows.
 */
export async function checkAccess(
  environment: AccessEnvironment,
  { untilFirst = false, ...options }: AccessOptions & { readonly untilFirst?: boolean } = {},
): Promise<AccessReport> {
  const leaks: string[] = [];
  let checks = 0;
  const { logs, restore } = captureLogs();
  const checking: Checking = {
    ...options,
    environment,
    logs,
    expect(hasPassed, leak) {
      checks += 1;
      if (hasPassed) return;
      leaks.push(leak);
      if (untilFirst) throw new FoundLeak(leak);
    },
  };
  try {
    await checkAll(checking);
  } catch (error) {
    if (!(error instanceof FoundLeak)) throw error;
  } finally {
    restore();
  }
  return { checks, leaks };
}

async function checkAll(checking: Checking): Promise<void> {
  const { viewersPerRoute = VIEWERS.length, seed = 1 } = checking;
  const random = createRandom(seed);
  const pairs = Object.entries(ACCESS_RULES).flatMap(([route, rule]) =>
    VIEWERS.map((viewer) => ({ viewer, rank: random.share() }))
      .filter(({ viewer }) => canCheck(checking, { route, viewer, rule }))
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, viewersPerRoute)
      .map(({ viewer }): SentRequest => ({ route, viewer, rule })),
  );
  for (const sent of pairs.filter(({ route }) => route.startsWith('GET '))) {
    await checkRead(checking, sent);
  }
  for (const sent of pairs.filter(({ route }) => !route.startsWith('GET '))) {
    await checkWrite(checking, sent);
  }
  const all = checking.logs.join('\n');
  for (const [owner, { texts }] of Object.entries(checking.environment.secrets)) {
    for (const [field, text] of Object.entries(texts)) {
      checking.expect(!contains(all, text), `The logs contain the ${field} of the ${owner}`);
    }
  }
}

/**
 * False for requests that end a viewer's session, for operators' actions, and for writes by the owner and the subscriber, because they may
 * change their own rows.
 */
function canCheck({ environment }: Checking, { route, viewer, rule }: SentRequest): boolean {
  if (rule.isSignOut && environment.credentials[viewer].Cookie !== undefined) return false;
  if (viewer === 'operator' && route === 'POST /api/operators/actions') return false;
  if (route.startsWith('GET ')) return true;
  if (viewer === 'key of the owner') return rule.apiKey !== 'call';
  return viewer !== 'owner' && viewer !== 'subscriber';
}

async function checkRead(checking: Checking, sent: SentRequest): Promise<void> {
  const { route, viewer, rule } = sent;
  const { environment, expect } = checking;
  const hasAccess = environment.secrets['hidden call'].shownTo.includes(viewer);
  const refusal = refusalOf(rule, viewer);
  let all = '';
  for (const [index, request] of rule.requests(environment.subject).entries()) {
    const reply = await sendRequest(checking, { route, request, viewer });
    const where = `${viewer}: ${route} (${request.path})`;
    expect(refusal === null || reply.status === refusal, `${where} responded ${reply.status}`);
    if (request.namesToken === true) {
      expect(reply.cacheControl === PRIVATE, `${where} names a hidden token and is shared`);
      checkTexts(checking, { viewer, where, text: reply.text, ignored: TOKEN_FIELDS });
      continue;
    }
    all += `${reply.text} `;
    checkTexts(checking, { viewer, where, text: reply.text });
    await checkTwin(checking, { ...sent, index, reply, where });
    if (rule.dependsOnAccess && !hasAccess && reply.status === 200) {
      const allowed = await sendRequest(checking, { route, request, viewer: 'subscriber' });
      expect(reply.text !== allowed.text, `${where} is as for a subscriber`);
    }
    const isShared = reply.cacheControl !== PRIVATE;
    const isLikeAnonymous = rule.isSameWithoutAccess && !hasAccess && refusal === null;
    expect(!isShared || !(viewer in KEY_OWNERS), `${where} is shared, but was requested with a key`);
    if ((isShared || isLikeAnonymous) && viewer !== 'anonymous') {
      const anonymous = await sendRequest(checking, { route, request, viewer: 'anonymous' });
      expect(!isShared || reply.text === anonymous.text, `${where} is shared, but depends on the viewer`);
      expect(!isLikeAnonymous || reply.text === anonymous.text, `${where} isn’t as for a visitor`);
    }
  }
  checkShown(checking, { route, viewer, rule, text: all });
}

/** Checks that a route's responses show a viewer exactly the data that its rule declares. */
export function checkShown(
  { environment, expect }: Pick<Checking, 'environment' | 'expect'>,
  { route, viewer, rule, text }: SentRequest & { text: string },
): void {
  for (const [name, { shownTo, texts }] of Object.entries(environment.secrets) as [SecretName, Secret][]) {
    if (!shownTo.includes(viewer)) continue;
    const isShown = Object.values(texts).some((needle) => contains(text, needle));
    const isDeclared =
      refusalOf(rule, viewer) === null && rule.shows[name]?.includes(KEY_OWNERS[viewer] ?? viewer) === true;
    expect(isShown === isDeclared, `${viewer}: ${route} ${isShown ? 'shows' : "doesn't show"} the ${name}`);
  }
}

/** The status with which the route must refuse this viewer, or null if it may serve them. */
export function refusalOf({ session, apiKey }: AccessRule, viewer: Viewer): number | null {
  if (session === 'operator') return viewer === 'operator' ? null : 404;
  if (viewer === 'revoked key') return 401;
  if (viewer in KEY_OWNERS && apiKey === undefined) return 403;
  if (viewer === 'key of the subscriber' && apiKey === 'call') return 403;
  return session === 'required' && !SIGNED_IN.includes(viewer) ? 401 : null;
}

/**
 * Fields that are no leak in a response about the hidden call's token: everyone may look up the token, and its price is
 * pinned at the entry price.
 */
export const TOKEN_FIELDS = ['tokenMint', 'tokenSymbol', 'tokenName', 'entryPrice', 'entryMarketCapUsd'];

/** Checks that the request changes no other user's rows. */
async function checkWrite(checking: Checking, { route, viewer, rule }: SentRequest): Promise<void> {
  const { environment, expect } = checking;
  const isSignedIn = SIGNED_IN.includes(viewer) && !(viewer in KEY_OWNERS);
  const refusal = refusalOf(rule, viewer);
  for (const [index, request] of rule.requests(environment.subject).entries()) {
    const where = `${viewer}: ${route}`;
    const before = await readRows(environment, isSignedIn);
    const reply = await sendRequest(checking, { route, request, viewer });
    expect(before === (await readRows(environment, isSignedIn)), `${where} changed other people’s rows`);
    checkTexts(checking, { viewer, where, text: reply.text });
    await checkTwin(checking, { route, viewer, rule, index, reply, where });
    expect(refusal === null || reply.status === refusal, `${where} responded ${reply.status}`);
    const isOpenToAll = route.endsWith('/events/page-view') || reply.status >= 400;
    expect(isSignedIn || isOpenToAll, `${where} responded ${reply.status}`);
  }
}

interface TextsToCheck {
  readonly viewer: Viewer;
  readonly where: string;
  readonly text: string;
  readonly ignored?: readonly string[];
}

export function checkTexts(
  { environment, expect }: Pick<Checking, 'environment' | 'expect'>,
  { viewer, where, text, ignored = [] }: TextsToCheck,
): void {
  for (const [name, { shownTo, texts }] of Object.entries(environment.secrets)) {
    if (shownTo.includes(viewer)) continue;
    for (const [field, needle] of Object.entries(texts)) {
      if (ignored.includes(field)) continue;
      expect(!contains(text, needle), `${where} contains the ${field} of the ${name}`);
    }
  }
  for (const [name, needle] of Object.entries(environment.neverShown)) {
    expect(!contains(text, needle), `${where} contains the ${name}`);
  }
}

/** Compares the response with the response for unknown ids. */
async function checkTwin(
  checking: Checking,
  { route, viewer, rule, index, reply, where }: Replied,
): Promise<void> {
  const { subject, secrets } = checking.environment;
  const replaced: [string, string][] = [];
  const unknown: Record<string, string> = { ...subject };
  for (const [key, name] of Object.entries(SECRET_IDS) as [keyof Subject, SecretName][]) {
    if (secrets[name].shownTo.includes(viewer)) continue;
    unknown[key] = scramble(subject[key]);
    replaced.push([unknown[key], subject[key]]);
  }
  const request = rule.requests(unknown as unknown as Subject)[index];
  if (!request || JSON.stringify(request) === JSON.stringify(rule.requests(subject)[index])) return;
  const twin = await sendRequest(checking, { route, request, viewer });
  const asIfKnown = replaced.reduce((text, [from, to]) => text.replaceAll(from, to), twin.text);
  const isEqual = twin.status === reply.status && asIfKnown === reply.text;
  checking.expect(isEqual, `${where} tells a hidden thing from an unknown one`);
}

/** It counts the viewer's own requests. */
const COUNTER = 'ratelimit';

/** Headers and body of a response. */
export const textOf = async (response: Response) =>
  `${JSON.stringify([...response.headers].filter(([name]) => name !== COUNTER))} ${decode(await response.arrayBuffer())}`;

const decode = (bytes: ArrayBuffer) => new TextDecoder().decode(bytes);

/** Returns an unknown id of the same format. */
const scramble = (id: string) => [...id].map((each) => SCRAMBLED[each] ?? each).join('');
const SCRAMBLED: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...'0123456789'].map((digit, index, all) => [digit, all[(index + 1) % 10] ?? ''])),
  ...Object.fromEntries([...'abcdef'].map((letter, index, all) => [letter, all[(index + 1) % 6] ?? ''])),
};

async function sendRequest(
  { environment, change = (reply) => reply }: Checking,
  { route, request, viewer }: { route: string; request: AccessRequest; viewer: Viewer },
): Promise<AccessResponse> {
  const [method = ''] = route.split(' ');
  const response = await environment.app.request(request.path, {
    method,
    body: request.body,
    headers: environment.credentials[viewer],
  });
  return change({
    status: response.status,
    cacheControl: response.headers.get('Cache-Control') ?? '',
    text: await textOf(response),
  });
}

/**
 * Reads the rows that a viewer may not change: without a session all rows, otherwise the rows that name the owner or
 * the subscriber but not the viewer.
 */
async function readRows(
  { owner, subscriber, subject }: AccessEnvironment,
  isSignedIn: boolean,
): Promise<string> {
  const { attempts: _, ...tables } = await readDatabase();
  if (!isSignedIn) return JSON.stringify(tables);
  const theirs = [owner.id, subscriber.id, subject.hiddenId, subject.endedId];
  const others = (tables['users'] ?? []).map(({ id }) => String(id)).filter((id) => !theirs.includes(id));
  return Object.entries(tables)
    .flatMap(([table, rows]) => rows.map((row) => `${table} ${JSON.stringify(row)}`))
    .filter((row) => theirs.some((id) => row.includes(id)) && !others.some((id) => row.includes(id)))
    .join('\n');
}

const patterns = new Map<string, RegExp>();

/** Matches whole words only, because a random sign-in token may contain the symbol's letters. */
export function contains(text: string, needle: string): boolean {
  const escaped = needle.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = patterns.get(needle) ?? new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, 'i');
  patterns.set(needle, pattern);
  return pattern.test(text);
}
