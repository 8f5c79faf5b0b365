import { DAY_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { NotificationKind } from '#schema/contracts/notifications.ts';
import type { Arrival, Unsent } from './message-model-outside.ts';
import {
  Violation,
  type Call,
  type Expectation,
  type Fact,
  type PeopleChannel,
  type Period,
  type Somebody,
  type World,
} from './message-model-world.ts';

// The rules: who gets what, where, once, and in which order. They use only what has happened in the model's world.

const ALL: readonly PeopleChannel[] = ['telegram', 'push', 'webhook'];
const PERSONAL: readonly PeopleChannel[] = ['telegram', 'push'];

export function addressesOf(person: Somebody, channel: PeopleChannel): string[] {
  if (channel === 'telegram') return person.hasTelegram ? [String(person.telegramId)] : [];
  if (channel === 'push') return person.browsers.filter((endpoint) => endpoint !== null);
  return person.program === null ? [] : [person.program];
}

export const hasAccess = ({ isFree }: World, person: Somebody, at: number): boolean =>
  isFree ? person.isFollowing : person.periods.some(({ start, end }) => start <= at && at < end);

function isDue({ to, channel, switchedBy, isMutable, isDue: isStillDue }: Expectation, at: number): boolean {
  const isSwitchedOff = switchedBy !== undefined && to.switchedOff.has(switchedBy);
  const isMuted = isMutable === true && to.hasMuted;
  // Programs filter by themselves.
  return (channel === 'webhook' || (!isSwitchedOff && !isMuted)) && (isStillDue?.(at) ?? true);
}

/** Something has happened that these people must be told. */
export function expectMessages(world: World, ...facts: readonly Fact[]): void {
  for (const fact of facts) {
    trace(world, `expected: ${fact.to.id} ${fact.key}`);
    for (const channel of fact.channels ?? PERSONAL) {
      const same = find(world, { ...fact, channel });
      const addresses = addressesOf(fact.to, channel);
      const state = {
        times: 1,
        isOwed: true,
        isOwedSomewhere: true,
        wasListed: false,
        hasFailed: false,
        addresses,
        arrivals: new Map(),
      };
      if (same === undefined) world.expectations.push({ ...fact, channel, ...state });
      else Object.assign(same, fact, { times: same.times + 1 });
    }
  }
  reconsider(world);
}

const find = ({ expectations }: World, { key, to, channel }: Pick<Expectation, 'key' | 'to' | 'channel'>) =>
  expectations.find((each) => each.key === key && each.to === to && each.channel === channel);

/** A message is owed as long as nothing speaks against it. */
export function reconsider(world: World): void {
  const now = world.machine.clock.now();
  for (const each of world.expectations) {
    const isListed = each.isListed?.(each.channel) ?? true;
    each.isOwed &&= isListed && isDue(each, now);
    each.isOwedSomewhere &&= isDue(each, now) && !each.to.hasMoved && !each.to.isDoubted;
    each.wasListed ||= isListed || (each.mayBeListed?.(each.channel) ?? false);
    const current = addressesOf(each.to, each.channel);
    each.addresses = each.addresses.filter((address) => current.includes(address));
  }
}

type CallEventKind = Extract<NotificationKind, 'call_opened' | 'call_update' | 'call_ended' | 'level_hit'>;

interface CallEvent {
  readonly kind: CallEventKind;
  readonly call: Call;
  readonly key: string;
  readonly isDue?: () => boolean;
}

let place = 0;

/** The caller is told when a message to the topic is refused. */
export function expectTopicProblem(world: World): void {
  const isExpected = world.expectations.some(({ key }) => key === 'problem');
  if (isExpected) return;
  expectMessages(world, {
    key: 'problem',
    to: world.caller,
    isListed: () => false,
    mayBeListed: () => true,
  });
}

/** Followers with access get it, unless they read it in the caller's group. */
export function expectCallEvent(
  world: World,
  { kind, call, key, isDue: isStillDue = () => true }: CallEvent,
): void {
  call.isNews = true;
  place += 1;
  const order = { call, place };
  if (world.group?.isTopicClosed === true) expectTopicProblem(world);
  if (kind !== 'call_opened') world.group?.events.push({ key, call, at: world.machine.clock.now() });
  expectMessages(
    world,
    ...world.people.map((to): Fact => {
      const wants = (channel: PeopleChannel) => channel === 'webhook' || !to.hasMuted;
      const { group } = world;
      const readsGroup = () =>
        group !== null && to.isInGroup && !to.isDoubted && !to.switchedOff.has('chat_only');
      return {
        key,
        to,
        channels: ALL,
        switchedBy: kind,
        isMutable: true,
        isDue: (at) => hasAccess(world, to, at) && isStillDue(),
        isListed: (channel) => wants(channel) && (channel !== 'telegram' || !readsGroup()),
        mayBeListed: (channel) => wants(channel) && group?.wasBroken === true,
        // A program orders events by their version, and a level is hit when the cron finds out.
        ...(kind === 'level_hit' ? {} : { order }),
      };
    }),
  );
}

/** Time brings silent days, reminders, ends of calls, levels, and results on paper. The cron runs right after. */
export function passTime(world: World): void {
  const now = world.machine.clock.now();
  addSilentDay(world, now);
  for (const person of world.people) remind(world, person, now);
  for (const call of world.calls) passTimeOfCall(world, call, now);
  reconsider(world);
}

/** Only the last midnight counts. */
function addSilentDay(world: World, now: number): void {
  const midnight = now - (now % DAY_MS);
  if (midnight <= world.midnight) return;
  world.midnight = midnight;
  const isSilent = world.lastAct <= midnight - 7 * DAY_MS && world.createdAt <= midnight - 7 * DAY_MS;
  if (world.isFree || world.chargesSince > midnight || !isSilent || world.silentDays === 30) return;
  const runs = ({ start, end, isPaid }: Period) => isPaid && start <= midnight && midnight < end;
  const subscribers = world.people.filter(({ periods }) => periods.some(runs));
  if (subscribers.length === 0) return;
  for (const { periods } of subscribers) {
    for (const period of periods.filter(({ isPaid, end }) => isPaid && end > midnight)) {
      if (!runs(period)) period.start += DAY_MS;
      period.end += DAY_MS;
    }
  }
  world.silentDays += 1;
  world.trace.push(`silent day ${world.silentDays}`);
  if (world.silentDays > 1) return;
  const told = [world.caller, ...subscribers];
  expectMessages(
    world,
    ...told.map((to): Fact => ({ key: 'silent', to, switchedBy: 'subscription_expiring' })),
  );
}

const STAGES = [
  { stage: 7, next: 1 },
  { stage: 1, next: 0 },
  { stage: 0, next: -3 },
] as const;

/** One reminder per end and stage. A later stage replaces the earlier ones. */
function remind(world: World, to: Somebody, now: number): void {
  const last = to.periods.at(-1);
  const due =
    last &&
    STAGES.find(({ stage, next }) => last.end <= now + stage * DAY_MS && last.end > now + next * DAY_MS);
  if (world.isFree || last === undefined || due === undefined) return;
  const { version } = last;
  const nameOf = (stage: number) => `${last.id} ${version} ${stage}`;
  // A fork that takes a renewal away can make an end the last one again. It's told then if it wasn't yet.
  const isRepeated = to.reminded.has(nameOf(due.stage));
  if (isRepeated && !to.hasLostPayment) return;
  to.hasLostPayment = false;
  for (const { stage } of STAGES) if (stage >= due.stage) to.reminded.add(nameOf(stage));
  const isEnd = due.stage === 0;
  expectMessages(world, {
    key: `renewal ${due.stage}`,
    to,
    channels: isEnd ? ALL : PERSONAL,
    switchedBy: isEnd ? 'subscription_expired' : 'subscription_expiring',
    isListed: () => !isRepeated,
    mayBeListed: () => true,
    isDue: (at) =>
      to.periods.at(-1) === last && last.version === version && last.end > at + due.next * DAY_MS,
  });
}

function passTimeOfCall(world: World, call: Call, now: number): void {
  const age = now - call.openedAt;
  if (call.endedAt === null && age >= 30 * DAY_MS) {
    Object.assign(call, { endedAt: now, isEnding: true });
    expectEnd(world, call);
  }
  if (call.endedAt === null && age >= 29 * DAY_MS && !call.isEndsSoonTold) {
    call.isEndsSoonTold = true;
    expectMessages(world, {
      key: `ends soon ${call.id}`,
      to: world.caller,
      isDue: () => call.endedAt === null,
    });
  }
  if (call.endedAt === null) expectLevels(world, call);
  if (call.endedAt === null || call.isPaperTold || now < call.endedAt + 2 * MINUTE_MS) return;
  call.isPaperTold = true;
  if (!call.isRanked) return;
  const told = world.people.filter(({ paperSince }) => paperSince !== null && paperSince <= call.openedAt);
  expectMessages(
    world,
    ...told.map((to): Fact => {
      const since = to.paperSince;
      const isDue = (at: number) => to.paperSince === since && !to.hasMuted && !hasAccess(world, to, at);
      return { key: `paper ${call.symbol}`, to, switchedBy: 'call_ended', isDue };
    }),
  );
}

export const expectEnd = (world: World, call: Call) =>
  expectCallEvent(world, { kind: 'call_ended', call, key: `ended ${call.id}` });

function expectLevels(world: World, call: Call): void {
  const price = world.market.prices.get(call.mint) ?? 0;
  const reached = { target: price >= call.target, stop: price <= call.stop };
  for (const level of ['target', 'stop'] as const) {
    if (!reached[level] || call.hits.has(level)) continue;
    call.hits.add(level);
    const key = `level ${call.id} ${level}`;
    const isOpen = () => call.endedAt === null || call.isEnding;
    expectCallEvent(world, { kind: 'level_hit', call, key, isDue: isOpen });
    expectMessages(world, { key, to: world.caller, switchedBy: 'level_hit', isDue: isOpen });
  }
}

const ownerOf = ({ people, caller }: World, { channel, address }: Pick<Arrival, 'channel' | 'address'>) =>
  [caller, ...people].find((person) =>
    channel === 'reply' || channel === 'chat'
      ? String(person.telegramId) === address
      : addressesOf(person, channel).includes(address),
  );

export function noteFailure(worlds: readonly World[], unsent: Unsent): void {
  for (const world of worlds) {
    const to = ownerOf(world, unsent);
    if (to !== undefined) trace(world, `failed: ${unsent.channel} ${to.id} ${keyOf(unsent.text)}`);
    for (const each of world.expectations) {
      each.hasFailed ||= each.to === to && each.key === keyOf(unsent.text);
    }
  }
}

function trace(world: World, what: string): void {
  world.trace.push(`${new Date(world.machine.clock.now()).toISOString()} ${what}`);
}

/** A message has arrived. @throws Violation */
export function noteArrival(worlds: readonly World[], arrival: Arrival, now: number): void {
  const { channel, address, text } = arrival;
  if (channel === 'chat') return noteGroupText(worlds, arrival, now);
  const world = worlds.find((each) => ownerOf(each, arrival) !== undefined);
  const person = world && ownerOf(world, arrival);
  const shown = `${channel} ${address}: ${text.slice(0, 200)}`;
  if (world === undefined || person === undefined) throw new Violation(`Nobody has this address: ${shown}`);
  const leak = findLeak(worlds, text, person, now);
  if (leak !== null) throw new Violation(`${person.id} may not see ${leak.id}: ${shown}`);
  if (channel === 'reply') return;
  const key = keyOf(text);
  trace(world, `${arrival.isUncertain ? 'arrived, unanswered' : 'arrived'}: ${channel} ${person.id} ${key}`);
  const found = find(world, { key, to: person, channel });
  if (found === undefined) {
    throw new Violation(`${person.id} gets "${key}", which nobody must get now: ${shown}`);
  }
  // The product has read all conditions at most a second before.
  const isRight = found.wasListed && (isDue(found, now) || isDue(found, now - SECOND_MS));
  if (!isRight) throw new Violation(`${person.id} gets "${key}" against the rules: ${shown}`);
  noteCount(world, found, arrival, now);
}

function noteCount(world: World, found: Expectation, { address, isUncertain }: Arrival, at: number): void {
  const { key, to, channel, order, times, arrivals } = found;
  const before = arrivals.get(address) ?? { count: 0, uncertain: 0, at };
  if (before.count - before.uncertain >= times) {
    throw new Violation(`${to.id} gets "${key}" again on ${channel}`);
  }
  arrivals.set(address, { count: before.count + 1, uncertain: before.uncertain + Number(isUncertain), at });
  if (order === undefined || channel === 'webhook' || before.count > 0 || found.hasFailed) return;
  const overtaken = world.expectations.find(
    (each) =>
      each.to === to &&
      each.channel === channel &&
      each.order?.call === order.call &&
      each.order.place > order.place &&
      each.arrivals.has(address),
  );
  if (overtaken) throw new Violation(`${to.id} gets "${key}" after "${overtaken.key}" on ${channel}`);
}

/** The product has died, so it doesn't know of what arrived just before. */
export function noteCrash(worlds: readonly World[], now: number): void {
  for (const world of worlds) trace(world, 'crash');
  const isInFlight = ({ at }: { readonly at: number }) => at >= now - IN_FLIGHT_MS;
  for (const post of worlds.flatMap(({ group }) => group?.arrivals ?? [])) {
    post.isUncertain ||= isInFlight(post);
  }
  for (const each of worlds.flatMap(({ expectations }) => expectations)) {
    each.hasFailed = true;
    for (const arrival of each.arrivals.values()) {
      if (isInFlight(arrival)) arrival.uncertain = arrival.count;
    }
  }
}

/** The sender has recorded what arrived earlier than this. */
const IN_FLIGHT_MS = 300;

function findLeak(worlds: readonly World[], text: string, person: Somebody, now: number): Call | null {
  for (const world of worlds) {
    if (person === world.caller || world.isFree) continue;
    if (hasAccess(world, person, now) || hasAccess(world, person, now - SECOND_MS)) continue;
    for (const call of world.calls) {
      if (call.endedAt !== null && !call.isEnding) continue;
      const hasEndedBefore = world.calls.some(({ mint, endedAt }) => mint === call.mint && endedAt !== null);
      const marks = [call.id, call.thesis, ...call.updates];
      // Other callers call the same tokens.
      if (!hasEndedBefore && world.people.includes(person)) marks.push(call.mint, call.symbol, call.price);
      if (marks.some((mark) => text.includes(mark))) return call;
    }
  }
  return null;
}

function noteGroupText(worlds: readonly World[], { address, text, ...arrival }: Arrival, at: number): void {
  const world = worlds.find(({ group }) => group?.id === address);
  if (world?.group == null) throw new Violation(`A post in an unknown group: ${text}`);
  if (!world.group.isBotAdmin) {
    throw new Violation(`A post in a group where the bot is no administrator: ${text}`);
  }
  const { isUncertain, isEdit = false } = arrival;
  const call = world.calls.find(({ id }) => text.includes(id));
  const told =
    call === undefined ? text.split('\n\n').map((event) => readReply(world, event)) : [{ call, key: null }];
  for (const each of told) world.group.arrivals.push({ ...each, isEdit, at, isUncertain });
  trace(world, `in the group: ${told.map(({ call: { id }, key }) => key ?? id).join()}`);
}

/** Finds out which event a reply tells: the oldest untold one that it fits, because a token can be called again. */
function readReply({ calls, caller, group }: World, text: string): { call: Call; key: string } {
  const [title = '', message = ''] = text.split('\n');
  const [kind = ''] = title.split(' ', 1);
  const fitting = calls
    .filter(({ symbol }) => title.includes(`\u2068${symbol}\u2069`))
    .map((call) => ({ call, key: keyOfReply(kind, call, message) }));
  const isTold = (key: string) => group?.arrivals.some((each) => each.key === key);
  const events = fitting.filter(({ key }) => group?.events.some((event) => event.key === key));
  const found = events.find(({ key }) => !isTold(key)) ?? events[0] ?? fitting[0];
  if (found === undefined) throw new Violation(`Not about a call of ${caller.id}: ${text}`);
  return found;
}

function keyOfReply(kind: string, { id }: Call, message: string): string {
  const keys: Readonly<Record<string, string>> = {
    Update: `update ${id} ${message}`,
    Call: `ended ${id}`,
    Target: `level ${id} target`,
    Stop: `level ${id} stop`,
  };
  return keys[kind] ?? id;
}

const FIRST_WORDS: readonly (readonly [RegExp, (found: RegExpMatchArray, callId: string) => string])[] = [
  [/^New call: /, (_, id) => `opened ${id}`],
  [/^Update on .*\n\n(.*)\n/, ([, message], id) => `update ${id} ${message}`],
  [/^Call ended: /, (_, id) => `ended ${id}`],
  [/^(Target|Stop) hit: /, ([, level], id) => `level ${id} ${level?.toLowerCase()}`],
  [/^Your call on /, (_, id) => `ends soon ${id}`],
  [/^Your (?:subscription|free access) to .* ended on /, () => 'renewal 0'],
  [/^Your (?:subscription|free access) to .* ends within 24 hours/, () => 'renewal 1'],
  [/^Your (?:subscription|free access) to .* ends /, () => 'renewal 7'],
  [/^Since /, () => 'silent'],
  [/^You received a refund of ([\d.]+) SOL/, ([, sol]) => `refund ${sol}`],
  [/^You paid ([\d.]+) SOL/, ([, sol]) => `paid ${sol}`],
  [/^You received ([\d.]+) SOL/, ([, sol]) => `payment ${sol}`],
  [/^A new device /, () => 'device'],
  [/^Your payout wallet /, () => 'payout'],
  [/^A new webhook /, () => 'new webhook'],
  [/^A Telegram chat was connected /, () => 'new chat'],
  [/^A Telegram group or channel now /, () => 'new group'],
  [/^A browser now /, () => 'new browser'],
  [/^\W?(\w+)\W? ended [+-]?[\d.]+%/, ([, symbol]) => `paper ${symbol}`],
  [/^A problem with /, () => 'problem'],
  [/^You were removed /, () => 'removed'],
];

/** Reads which message this is. */
export function keyOf(text: string): string {
  if (text.startsWith('{')) return keyOfWebhook(text);
  const callId = /\/call\/([\w-]+)$/.exec(text)?.[1] ?? '';
  for (const [pattern, name] of FIRST_WORDS) {
    const found = pattern.exec(text);
    if (found) return name(found, callId);
  }
  return text;
}

function keyOfWebhook(body: string): string {
  const { type, data } = JSON.parse(body) as { type: string; data: Record<string, string> };
  const { id = '', message = '', level = '', amount = '' } = data;
  const keys: Readonly<Record<string, string>> = {
    'call.opened': `opened ${id}`,
    'call.updated': `update ${id} ${message}`,
    'call.ended': `ended ${id}`,
    'call.level_hit': `level ${id} ${level}`,
    'payment.received': `payment ${amount}`,
    'subscription.ended': 'renewal 0',
  };
  return keys[type] ?? type;
}

/** Nothing waits anymore: everybody has got what they must get. @throws Violation */
export function checkMessages(world: World): void {
  reconsider(world);
  for (const { isOwed, addresses, arrivals, key, to, channel, times } of world.expectations) {
    const missing = isOwed && addresses.find((address) => (arrivals.get(address)?.count ?? 0) < times);
    if (missing) throw new Violation(`${to.id} doesn't get "${key}" on ${channel}`);
  }
  if (world.group !== null) checkOnce(world.group, world);
  world.expectations = world.expectations.filter(mayBeToldLater(world));
  for (const person of world.people) person.hasMoved = false;
  if (world.group !== null) checkGroup(world.group, world);
  if (world.group !== null) {
    Object.assign(world.group, {
      wasBroken: !world.group.isBotAdmin || world.group.isTopicClosed,
      wasMended: false,
      arrivals: [],
      events: [],
    });
  }
  for (const call of world.calls) Object.assign(call, { isNews: false, isEnding: false });
}

/** The product finds out about a closed topic when it posts, and tells the caller at the next run of the cron. */
const mayBeToldLater =
  ({ group }: World) =>
  ({ key, isOwed, arrivals }: Expectation): boolean =>
    key === 'problem' &&
    !isOwed &&
    arrivals.size === 0 &&
    (group?.isTopicClosed || group?.wasMended) === true;

/** Members are told of each update and end once: in the group, or in private. */
function checkOnce(group: NonNullable<World['group']>, { expectations }: World): void {
  for (const { key, call, at } of group.events.filter((event) => !event.key.startsWith('level'))) {
    const told = group.arrivals.filter(({ isEdit }) => !isEdit);
    const isPosted = told.some((each) => each.key === null && each.call === call && each.at >= at);
    const isReplied = told.some((each) => each.key === key && !each.isUncertain);
    for (const { to, arrivals, isOwedSomewhere } of expectations.filter(
      (each) => each.key === key && each.channel === 'telegram' && each.isOwedSomewhere,
    )) {
      if (!to.isInGroup || !to.hasTelegram || !isOwedSomewhere) continue;
      const isInPrivate = arrivals.size > 0;
      const isLost =
        !isInPrivate && !isPosted && !told.some((each) => nameOf(each) === nameOf({ key, call }));
      if (isLost) throw new Violation(`${to.id} isn't told of "${key}" anywhere`);
      const isTwice = isInPrivate && isReplied && !to.switchedOff.has('chat_only') && !group.wasMended;
      if (isTwice) throw new Violation(`${to.id} is told of "${key}" in private and in the group`);
    }
  }
}

/** A call has one message in the group, with all that has happened to it. */
function checkGroup(group: NonNullable<World['group']>, { calls, caller }: World): void {
  for (const { call, key, isUncertain } of group.arrivals) {
    call.extraPosts += Number(isUncertain && key === null);
  }
  checkReplies(group, caller);
  const posted = group.wasBroken ? [] : calls.filter(({ isNews, isPostGone }) => isNews && !isPostGone);
  for (const call of posted) {
    const texts = [...group.posts.values()].filter((text) => text.includes(call.id));
    const newest = texts.at(-1);
    if (newest === undefined) throw new Violation(`${call.id} isn't in the group`);
    if (texts.length > 1 + call.extraPosts) {
      throw new Violation(`${call.id} is in the group ${texts.length} times`);
    }
    const missing = call.updates.find((update) => !newest.includes(update));
    const isEndShown = newest.startsWith('Call ended') === (call.endedAt !== null);
    if (missing !== undefined || !isEndShown) {
      throw new Violation(`The group doesn't show all of ${call.id}: ${newest}`);
    }
  }
}

interface ReplyName {
  readonly key: string | null;
  readonly call: Call;
}

/** Replies about two calls of a token may have the same text. */
const nameOf = ({ key, call: { id, symbol } }: ReplyName) => `${symbol} ${key?.replace(id, '') ?? ''}`;

/** Telegram notifies members of each event once: by a reply, or by the call's message if that is newer. */
function checkReplies({ wasBroken, arrivals, events }: NonNullable<World['group']>, { id }: Somebody): void {
  for (const { key, call, at } of events) {
    const isSame = (each: ReplyName) => nameOf(each) === nameOf({ key, call });
    const replies = arrivals.filter((each) => isSame(each) && !each.isEdit && !each.isUncertain);
    if (replies.length > events.filter(isSame).length) {
      throw new Violation(`The group of ${id} is told of "${key}" ${replies.length} times`);
    }
    const isTold = arrivals.some(
      (each) => !each.isEdit && (isSame(each) || (each.key === null && each.call === call && each.at >= at)),
    );
    // A level isn't told after the end.
    if (!isTold && !wasBroken && !key.startsWith('level')) {
      throw new Violation(`The group of ${id} isn't told of "${key}"`);
    }
  }
}
