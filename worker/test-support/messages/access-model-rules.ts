import { DAY_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { control } from '../test-app.ts';
import {
  canRule,
  confirmedSince,
  createPresence,
  hasAccess,
  isInGrace,
  isTold,
  mayPost,
  PEOPLE,
  type Chat,
  type Presence,
  type Somebody,
  type World,
} from './access-model-world.ts';
import { messagesIn, type ChatMessage } from './telegram.ts';

/** The product broke a rule. */
export class Violation extends Error {}

interface Seen {
  readonly world: World;
  readonly chat: Chat;
  readonly person: Somebody;
  readonly presence: Presence;
}

const nameOf = ({ world, chat, person }: Seen) =>
  `person ${world.people.indexOf(person)} in the ${chat.kind}`;
const everybody = (world: World, chat: Chat): Seen[] =>
  chat.presences.flatMap((presence, index) => {
    const person = world.people[index];
    return person ? [{ world, chat, person, presence }] : [];
  });

/** A chat on the local Telegram. */
export interface Group {
  readonly id: number;
  readonly members: Readonly<Record<string, { readonly status: string }>>;
  /** `date` is in unix seconds. */
  readonly requests: readonly { readonly userId: number; readonly date: number }[];
}

/** Notes who has access now. */
export function noteAccess(world: World, chat: Chat): void {
  for (const { person, presence } of everybody(world, chat)) {
    const isEntitled = hasAccess(world, person);
    person.hasHadAccess ||= isEntitled;
    const { isInside, isKnown, isByUs } = presence;
    if (isInside && isKnown && isEntitled && isByUs === 'no') presence.isByUs = 'maybe';
  }
}

export const readGroup = ({ id }: Chat): Promise<Group> => control('GET', `/telegram/chats/${id}`);

export async function readGroups(): Promise<ReadonlyMap<number, Group>> {
  const groups = await control<Group[]>('GET', '/telegram/chats');
  return new Map(groups.map((group) => [group.id, group]));
}

interface Noted {
  readonly world: World;
  readonly chat: Chat;
  readonly group: Group;
  /** The person who came or left without the bot. */
  readonly mover?: Somebody | null;
}

/** Notes who came, left or got another role since the last call. Everybody but `mover` was moved by the bot. */
export function noteMembers({ world, chat, group: { members, requests }, mover = null }: Noted): void {
  for (const seen of everybody(world, chat)) {
    const { person, presence } = seen;
    const { status } = members[person.id] ?? { status: 'left' };
    const isInside = !['left', 'kicked'].includes(status);
    person.hasHadAccess ||= hasAccess(world, person);
    if (isInside && !presence.isInside) noteArrival(seen, person !== mover);
    if (!isInside && presence.isInside) noteDeparture(seen, person !== mover);
    presence.isInside = isInside;
    const isAdmin = status === 'administrator';
    if (isAdmin && !presence.isAdmin) presence.isPromotionKnown = isTold(world, chat);
    presence.isAdmin = isAdmin;
    const request = requests.find(({ userId }) => userId === person.id);
    presence.isAsking = request !== undefined;
    // The bot may have declined an older request while the person asked again.
    const { askedAt } = presence;
    presence.askedAt = askedAt && request ? Math.max(askedAt, request.date * SECOND_MS) : null;
  }
  noteAccess(world, chat);
}

function noteArrival({ world, chat, person, presence }: Seen, isByBot: boolean): void {
  // The bot may know the person already: from a check that found access, or because it wasn't told that they left.
  const isPerhapsByUs = person.hasHadAccess || presence.isByUs !== 'no' ? 'maybe' : 'no';
  Object.assign(presence, {
    isKnown: isTold(world, chat),
    isGone: false,
    joinedAt: world.app.clock.now(),
    joinedUnder: chat.paidSince,
    isByUs: isByBot ? 'yes' : isPerhapsByUs,
  });
}

function noteDeparture(seen: Seen, isByBot: boolean): void {
  const { world, chat, presence } = seen;
  const problem = isByBot ? removalProblem(seen) : null;
  if (problem !== null) throw new Violation(`${nameOf(seen)} was removed ${problem}`);
  if (isTold(world, chat)) Object.assign(presence, { ...createPresence(false), isGone: true });
}

function removalProblem({ world, chat, person, presence }: Seen): string | null {
  if (confirmedSince(world, chat) === null) return 'from a chat without rules';
  if (hasAccess(world, person)) return 'with access';
  if (isInGrace(world, chat, presence) === true) return 'before the end of the 30 days';
  const mayStay = presence.isKnown && presence.isByUs === 'no' && !chat.removesOthers;
  return mayStay ? 'although others may stay' : null;
}

/**
 * Compares a chat with the rules, two minutes after the last change. `isEndNoticed`: the job that ends subscriptions has
 * run. @throws Violation
 */
export async function checkChat(world: World, chat: Chat, isEndNoticed: boolean): Promise<void> {
  for (const seen of everybody(world, chat)) {
    const problem = canRule(chat) ? presenceProblem(seen, isEndNoticed) : null;
    if (problem !== null) throw new Violation(`${nameOf(seen)} ${problem}`);
    noteCheck(seen);
  }
  if (canRule(chat) && confirmedSince(world, chat) !== null) await checkOthers(world, chat);
}

function presenceProblem({ world, chat, person, presence }: Seen, isEndNoticed: boolean): string | null {
  const { askedAt, isInside, isKnown, isByUs, isAdmin, hadAccessUnder } = presence;
  const isEntitled = hasAccess(world, person);
  if (askedAt !== null && (isEntitled || world.isFree)) return 'waits with access';
  const isOverdue = askedAt !== null && askedAt + DAY_MS + 2 * MINUTE_MS <= world.app.clock.now();
  if (isOverdue) return 'waits for over a day';
  const since = confirmedSince(world, chat);
  if (since === null || !isInside || isAdmin || isEntitled) return null;
  if (!isKnown) {
    const isLate = hadAccessUnder === since && isEndNoticed;
    return isLate ? 'is in after the end of access, though unknown before' : null;
  }
  if (isInGrace(world, chat, presence) !== false) return null;
  return chat.removesOthers || isByUs === 'yes' ? 'is in without access' : null;
}

/** The bot has checked everybody whom it knows. */
function noteCheck({ world, chat, person, presence }: Seen): void {
  const since = confirmedSince(world, chat);
  const isEntitled = hasAccess(world, person);
  presence.hadAccessUnder = presence.isInside && isEntitled ? (presence.hadAccessUnder ?? since) : null;
  if (!presence.isInside || since === null || !canRule(chat)) return;
  if (presence.isAdmin && !isEntitled) {
    // Otherwise, the bot only notices when it may not remove the person.
    const isNoticed = presence.isPromotionKnown || isInGrace(world, chat, presence) === false;
    presence.isByUs = isNoticed ? 'no' : 'maybe';
  }
  if (presence.isKnown && isEntitled) presence.isByUs = 'yes';
}

/** The caller's list has everybody who came without the bot and has no access. */
async function checkOthers(world: World, chat: Chat): Promise<void> {
  const certain = everybody(world, chat).filter(
    ({ presence: { isByUs, isKnown, isGone } }) => isByUs !== 'maybe' && (isKnown || isGone),
  );
  if (certain.length === 0) return;
  const list = { chatId: String(chat.id), userId: world.caller.id, cursor: undefined };
  const { rows: others } = await world.app.services.telegramChats.listOthers({ ...list, limit: PEOPLE + 1 });
  for (const seen of certain) {
    const { person, presence } = seen;
    const isListed = others.some(({ id }) => id === String(person.id));
    const isOther = presence.isInside && presence.isByUs === 'no' && !hasAccess(world, person);
    if (isListed === isOther) continue;
    throw new Violation(`${nameOf(seen)} ${isListed ? 'is' : "isn't"} in the list of others`);
  }
}

/** All messages in each chat. */
export const readMessages = ({ chats }: World): Promise<readonly ChatMessage[][]> =>
  Promise.all(chats.map(({ id }) => messagesIn(id)));

/** The texts of the bot's messages. */
const postsOf = (messages: readonly ChatMessage[] = []): string[] =>
  messages.flatMap(({ from, text }) => (from === 'bot' && text !== '' ? [text] : []));

/** Calls are posted exactly where they may be. @throws Violation */
export async function checkPosts(world: World, before: readonly ChatMessage[][]): Promise<void> {
  const after = await readMessages(world);
  for (const [index, chat] of world.chats.entries()) {
    const texts = postsOf(after[index]);
    const isAllowed = mayPost(world, chat);
    // Telegram copies a channel's posts into its discussion group. The bot may learn late that this has ended.
    const isCopied = chat.kind === 'group' && world.channel.wasDiscussed;
    const mayBeShown = isAllowed || (isCopied && world.isFree && mayPost(world, world.channel));
    const isMissing = !isCopied && world.news.some((each) => !texts.some((text) => text.includes(each)));
    const isChanged = texts.join() !== postsOf(before[index]).join();
    const all = JSON.stringify(after[index]);
    const isShown = isChanged || world.news.some((each) => all.includes(each));
    if (isAllowed && isMissing) throw new Violation(`a call isn't posted in the ${chat.kind}`);
    if (!mayBeShown && isShown) throw new Violation(`a call is in the ${chat.kind}, which others read`);
  }
  world.news = [];
}
