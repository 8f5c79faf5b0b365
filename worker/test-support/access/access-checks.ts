import { PRIVATE } from '../../app/cache-control.ts';
import { ACCESS_RULES, type AccessRequest, type AccessRule } from './access-rules.ts';
import {
  SECRET_IDS,
  SIGNED_IN,
  VIEWERS,
  type AccessWorld,
  type Secret,
  type SecretName,
  type Subject,
  type Viewer,
} from './access-world.ts';
import { captureLogs } from '../capture-logs.ts';
import { readDatabase } from '../database/database.ts';
import { createRandom } from '../seeded-random.ts';

export interface AccessAnswer {
  readonly status: number;
  readonly cacheControl: string;
  /** Headers and body; an image's bytes as text. */
  readonly text: string;
}

export interface AccessOptions {
  /** Number of viewers, chosen at random, who request each route. Default: all. */
  readonly viewersPerRoute?: number;
  readonly seed?: number;
  /** Changes answers, as a product with a missing check would. */
  readonly change?: (answer: AccessAnswer) => AccessAnswer;
}

export interface AccessReport {
  readonly checks: number;
  readonly leaks: readonly string[];
}

export interface Checking extends AccessOptions {
  readonly world: AccessWorld;
  readonly logs: readonly string[];
  /** Counts a check, and reports a leak unless it passed. */
  expect(hasPassed: boolean, leak: string): void;
}

interface Asking {
  readonly route: string;
  readonly viewer: Viewer;
  readonly rule: AccessRule;
}

/** Thrown after the first leak if the check should stop there. */
class FoundLeak extends Error {}

/**
 * Requests routes as every kind of viewer. Reports four kinds of leaks:
 * - an answer or a log contains something that the viewer may not see,
 * - answers for hidden things differ from answers for unknown ids,
 * - shared caches may store a response that only some viewers may see,
 * - a request changes other people's rows.
 */
export async function checkAccess(
  world: AccessWorld,
  { untilFirst = false, ...options }: AccessOptions & { readonly untilFirst?: boolean } = {},
): Promise<AccessReport> {
  const leaks: string[] = [];
  let checks = 0;
  const { logs, restore } = captureLogs();
  const checking: Checking = {
    ...options,
    world,
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
      .map(({ viewer }): Asking => ({ route, viewer, rule })),
  );
  for (const asking of pairs.filter(({ route }) => route.startsWith('GET '))) {
    await checkRead(checking, asking);
  }
  for (const asking of pairs.filter(({ route }) => !route.startsWith('GET '))) {
    await checkWrite(checking, asking);
  }
  const all = checking.logs.join('\n');
  for (const [owner, { texts }] of Object.entries(checking.world.secrets)) {
    for (const [field, text] of Object.entries(texts)) {
      checking.expect(!contains(all, text), `The logs contain the ${field} of the ${owner}`);
    }
  }
}

/** Leaves out the end of a viewer's session, and writes of the owner and the subscriber, who may change their own rows. */
function canCheck({ world }: Checking, { route, viewer, rule }: Asking): boolean {
  if (rule.isSignOut && world.cookies[viewer] !== undefined) return false;
  return route.startsWith('GET ') || (viewer !== 'owner' && viewer !== 'subscriber');
}

async function checkRead(checking: Checking, asking: Asking): Promise<void> {
  const { route, viewer, rule } = asking;
  const { world, expect } = checking;
  const hasAccess = world.secrets['hidden call'].shownTo.includes(viewer);
  const refusal = refusalOf(rule, viewer);
  let all = '';
  for (const [index, request] of rule.requests(world.subject).entries()) {
    const answer = await ask(checking, { route, request, viewer });
    const where = `${viewer}: ${route} (${request.path})`;
    expect(refusal === null || answer.status === refusal, `${where} responded ${answer.status}`);
    if (request.namesToken === true) {
      expect(answer.cacheControl === PRIVATE, `${where} names a hidden token and is shared`);
      checkTexts(checking, { viewer, where, text: answer.text, ignored: TOKEN_FIELDS });
      continue;
    }
    all += `${answer.text} `;
    checkTexts(checking, { viewer, where, text: answer.text });
    await checkTwin(checking, { ...asking, index, answer, where });
    if (rule.dependsOnAccess && !hasAccess && answer.status === 200) {
      const allowed = await ask(checking, { route, request, viewer: 'subscriber' });
      expect(answer.text !== allowed.text, `${where} is as for a subscriber`);
    }
    const isShared = answer.cacheControl !== PRIVATE;
    const isLikeAnonymous = rule.isSameWithoutAccess && !hasAccess;
    if ((isShared || isLikeAnonymous) && viewer !== 'anonymous') {
      const anonymous = await ask(checking, { route, request, viewer: 'anonymous' });
      expect(!isShared || answer.text === anonymous.text, `${where} is shared, but depends on the viewer`);
      expect(!isLikeAnonymous || answer.text === anonymous.text, `${where} isn’t as for a visitor`);
    }
  }
  for (const [name, { shownTo, texts }] of Object.entries(world.secrets) as [SecretName, Secret][]) {
    if (!shownTo.includes(viewer)) continue;
    const isShown = Object.values(texts).some((text) => contains(all, text));
    const isDeclared = rule.shows[name]?.includes(viewer) === true;
    expect(isShown === isDeclared, `${viewer}: ${route} ${isShown ? 'shows' : "doesn't show"} the ${name}`);
  }
}

/** The status of every response to this viewer, or null if the route may serve them. No viewer is an operator. */
export function refusalOf({ session }: AccessRule, viewer: Viewer): number | null {
  if (session === 'operator') return 404;
  return session === 'required' && !SIGNED_IN.includes(viewer) ? 401 : null;
}

/** The fields of the hidden call's token itself, which everyone may look up. Its price is pinned at the entry. */
export const TOKEN_FIELDS = ['tokenMint', 'tokenSymbol', 'tokenName', 'entryPrice', 'entryMarketCapUsd'];

/** Nobody may change other people's rows. */
async function checkWrite(checking: Checking, { route, viewer, rule }: Asking): Promise<void> {
  const { world, expect } = checking;
  const isSignedIn = SIGNED_IN.includes(viewer);
  const refusal = refusalOf(rule, viewer);
  for (const [index, request] of rule.requests(world.subject).entries()) {
    const where = `${viewer}: ${route}`;
    const before = await readRows(world, isSignedIn);
    const answer = await ask(checking, { route, request, viewer });
    expect(before === (await readRows(world, isSignedIn)), `${where} changed other people’s rows`);
    checkTexts(checking, { viewer, where, text: answer.text });
    await checkTwin(checking, { route, viewer, rule, index, answer, where });
    expect(refusal === null || answer.status === refusal, `${where} responded ${answer.status}`);
    const isOpenToAll = route.endsWith('/events/page-view') || answer.status >= 400;
    expect(isSignedIn || isOpenToAll, `${where} answered ${answer.status}`);
  }
}

interface TextsToCheck {
  readonly viewer: Viewer;
  readonly where: string;
  readonly text: string;
  readonly ignored?: readonly string[];
}

export function checkTexts(
  { world, expect }: Pick<Checking, 'world' | 'expect'>,
  { viewer, where, text, ignored = [] }: TextsToCheck,
): void {
  for (const [name, { shownTo, texts }] of Object.entries(world.secrets)) {
    if (shownTo.includes(viewer)) continue;
    for (const [field, needle] of Object.entries(texts)) {
      if (ignored.includes(field)) continue;
      expect(!contains(text, needle), `${where} contains the ${field} of the ${name}`);
    }
  }
  for (const [name, needle] of Object.entries(world.neverShown)) {
    expect(!contains(text, needle), `${where} contains the ${name}`);
  }
}

/** Compares the answer with the answer for unknown ids. */
async function checkTwin(
  checking: Checking,
  {
    route,
    viewer,
    rule,
    index,
    answer,
    where,
  }: Asking & { index: number; answer: AccessAnswer; where: string },
): Promise<void> {
  const { subject, secrets } = checking.world;
  const replaced: [string, string][] = [];
  const unknown: Record<string, string> = { ...subject };
  for (const [key, name] of Object.entries(SECRET_IDS) as [keyof Subject, SecretName][]) {
    if (secrets[name].shownTo.includes(viewer)) continue;
    unknown[key] = scramble(subject[key]);
    replaced.push([unknown[key], subject[key]]);
  }
  const request = rule.requests(unknown as unknown as Subject)[index];
  if (!request || JSON.stringify(request) === JSON.stringify(rule.requests(subject)[index])) return;
  const twin = await ask(checking, { route, request, viewer });
  const asIfKnown = replaced.reduce((text, [from, to]) => text.replaceAll(from, to), twin.text);
  const isEqual = twin.status === answer.status && asIfKnown === answer.text;
  checking.expect(isEqual, `${where} tells a hidden thing from an unknown one`);
}

/** Headers and body of a response. */
export const textOf = async (response: Response) =>
  `${JSON.stringify([...response.headers])} ${decode(await response.arrayBuffer())}`;

const decode = (bytes: ArrayBuffer) => new TextDecoder().decode(bytes);

/** An unknown id of the same form. */
const scramble = (id: string) => [...id].map((each) => SCRAMBLED[each] ?? each).join('');
const SCRAMBLED: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...'0123456789'].map((digit, index, all) => [digit, all[(index + 1) % 10] ?? ''])),
  ...Object.fromEntries([...'abcdef'].map((letter, index, all) => [letter, all[(index + 1) % 6] ?? ''])),
};

async function ask(
  { world, change = (answer) => answer }: Checking,
  { route, request, viewer }: { route: string; request: AccessRequest; viewer: Viewer },
): Promise<AccessAnswer> {
  const [method = ''] = route.split(' ');
  const cookie = world.cookies[viewer];
  const response = await world.app.request(request.path, {
    method,
    ...(request.body === undefined ? {} : { body: request.body }),
    ...(cookie === undefined ? {} : { cookie }),
  });
  return change({
    status: response.status,
    cacheControl: response.headers.get('Cache-Control') ?? '',
    text: await textOf(response),
  });
}

/**
 * The rows that a viewer may not change. Without a session, these are all rows. Otherwise, these are the rows
 * that name the owner or the subscriber, but not the viewer.
 */
async function readRows({ owner, subscriber, subject }: AccessWorld, isSignedIn: boolean): Promise<string> {
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
