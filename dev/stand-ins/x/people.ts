import { z } from 'zod';
import { pickFrom, hashToUnit } from '../market/noise.ts';
import { callerBios, firstNames, handleEndings, surnames } from './sample-texts.ts';

export type SamplePerson = z.infer<typeof samplePersonSchema>;
export const samplePersonSchema = z.object({
  /** X's numeric id, which doesn't change with the handle. */
  xUserId: z.string(),
  handle: z.string(),
  name: z.string(),
  /** X returns the email only with the `users.email` scope. Some people have no email. */
  email: z.string().exactOptional(),
  /** Path on the stand-ins' server. One image is missing on purpose. */
  avatar: z.string().exactOptional(),
  bio: z.string().exactOptional(),
  /** X's badge, which is unrelated to the product's. */
  isVerified: z.boolean(),
  /** ISO 8601. */
  createdAt: z.string(),
});

/** The number of people that {@link seededPerson} can return. The sample people are the first ones. */
export const seededPeopleCount = 180;

const FIRST_X_USER_ID = 1_700_000_000_000_000_000n;
const MAX_HANDLE_LENGTH = 15;

const plain = { avatar: '', isVerified: false };
/** People to sign in as: ordinary accounts and edge cases. */
const handMade: readonly Omit<SamplePerson, 'xUserId' | 'createdAt'>[] = [
  {
    ...plain,
    handle: 'amara_calls',
    name: 'Amara Lanternby',
    email: 'amara@lanternby.example',
    bio: 'On-chain first, charts second. I publish the losers too.',
    isVerified: true,
  },
  {
    ...plain,
    handle: 'kenji_charts',
    name: 'Kenji Saltmarsh-Vee',
    email: 'kenji@saltmarsh.example',
    bio: 'Slow calls for patient people. Average hold: nine days.',
  },
  {
    ...plain,
    handle: 'ninepence',
    name: 'Inga Ninepence',
    email: 'inga@ninepence.example',
    bio: 'I look for liquidity before I look for a story.',
    isVerified: true,
  },
  { ...plain, handle: 'tobi_drift', name: 'Tobi Driftquay', email: 'tobi@driftquay.example' },
  { handle: 'no_picture_ned', name: 'Ned Inkpen', email: 'ned@inkpen.example', isVerified: false },
  { ...plain, handle: 'no_email_noor', name: 'Noor Candlemere' },
  {
    ...plain,
    handle: 'broken_pic_bo',
    name: 'Bo Cloudstitch',
    email: 'bo@cloudstitch.example',
    avatar: '/x/pictures/missing_normal.png',
  },
  {
    ...plain,
    handle: 'FifteenLetters_',
    name: 'Maximiliane-Aurelia <Peppercairn> & Søns "MP" 🪁 Ōé',
    email: 'max@peppercairn.example',
    bio: 'A name as long as X allows, with everything that wants escaping.',
  },
];

export const samplePeople: readonly SamplePerson[] = handMade.map((_, index) => seededPerson(index));

/**
 * Returns the person with this index, who is always the same. Every ninth person has no image, every seventh
 * has no email. Everyone has a bio, although the product shows only callers' bios.
 */
export function seededPerson(index: number): SamplePerson {
  if (!Number.isInteger(index) || index < 0 || index >= seededPeopleCount) {
    throw new RangeError(`The index of a seeded person is 0 to ${seededPeopleCount - 1}, not ${index}`);
  }
  const identity = {
    xUserId: String(FIRST_X_USER_ID + BigInt(index) * 7_340_033n),
    createdAt: openedAt(index),
  };
  const prepared = handMade[index];
  if (prepared !== undefined) {
    const avatar = prepared.avatar === '' ? { avatar: avatarPath(identity.xUserId) } : {};
    return { ...identity, ...prepared, ...avatar };
  }
  return { ...identity, ...generatePerson(index, identity.xUserId) };
}

function generatePerson(index: number, xUserId: string): Omit<SamplePerson, 'xUserId' | 'createdAt'> {
  const first = firstNames[index % firstNames.length] ?? 'Amara';
  // The shift grows with each pass through the first names, so every full name is unique.
  const surname = surnames[(index + Math.floor(index / firstNames.length) * 7) % surnames.length] ?? 'Inkpen';
  const handle = handleOf({ first, index });
  return {
    handle,
    name: index % 23 === 0 ? first : `${first} ${surname}`,
    ...(index % 7 === 0 ? {} : { email: `${handle.toLowerCase()}@${surname.toLowerCase()}.example` }),
    ...(index % 9 === 0 ? {} : { avatar: avatarPath(xUserId) }),
    bio: pickFrom(callerBios, `bio ${index}`),
    isVerified: hashToUnit(`is verified ${index}`) < 0.2,
  };
}

export function avatarPath(xUserId: string): string {
  return `/x/pictures/${xUserId}_normal.png`;
}

function handleOf({ first, index }: { first: string; index: number }): string {
  const start = first.replace(/[^A-Za-z]/g, '').toLowerCase();
  const ending = pickFrom(handleEndings, `handle ${index}`);
  // The number makes the handle unique. A handle that is too long is cut before the number.
  const tail = `${index}`;
  return `${`${start}${ending}`.slice(0, MAX_HANDLE_LENGTH - tail.length)}${tail}`;
}

function openedAt(index: number): string {
  const start = Date.UTC(2012, 0, 1);
  const span = Date.UTC(2025, 0, 1) - start;
  return new Date(start + Math.floor(hashToUnit(`opened ${index}`) * span)).toISOString();
}
