import { z } from 'zod';
import { openStoredJson } from '../controls/stored-json.ts';
import {
  avatarPath,
  seededPeopleCount,
  samplePersonSchema,
  seededPerson,
  type SamplePerson,
} from './people.ts';

export const handlePattern = /^[A-Za-z0-9_]{1,15}$/;

const storedPeople = z.object({
  added: z.array(samplePersonSchema),
  handles: z.record(z.string(), z.string()),
});

const FIRST_NEWCOMER_ID = 1_900_000_000_000_000_000n;

/** Why X refuses all requests for an account. */
export type AccountBlock = 'suspended' | 'locked';

export type People = ReturnType<typeof openPeople>;

/** Opens the register of accounts. Those created by typing a handle are stored in `file`. */
export function openPeople({ file, now }: { file: string; now: () => number }) {
  const stored = openStoredJson({
    file,
    schema: storedPeople,
    initial: { added: [], handles: {} },
  });
  const sent = new Map<string, Readonly<Record<string, string>>>();
  const blocked = new Map<string, AccountBlock>();
  const seeded = Array.from({ length: seededPeopleCount }, (_, index) => seededPerson(index));

  const allPeople = (): SamplePerson[] =>
    [...seeded, ...stored.value.added].map((person) => ({
      ...person,
      handle: stored.value.handles[person.xUserId] ?? person.handle,
    }));
  const findByHandle = (handle: string): SamplePerson | undefined =>
    allPeople().find((person) => person.handle.toLowerCase() === handle.toLowerCase());

  return {
    findByHandle,
    findById: (xUserId: string) => allPeople().find((person) => person.xUserId === xUserId),
    /** Finds the person with this handle, or creates the account. */
    findOrOpenAccount(handle: string) {
      const known = findByHandle(handle);
      if (known !== undefined) return known;
      const xUserId = String(FIRST_NEWCOMER_ID + BigInt(stored.value.added.length));
      const person: SamplePerson = {
        xUserId,
        handle,
        name: nameFromHandle(handle),
        email: `${handle.toLowerCase()}@newcomer.example`,
        avatar: avatarPath(xUserId),
        isVerified: false,
        createdAt: new Date(now()).toISOString(),
      };
      stored.value.added.push(person);
      stored.save();
      return person;
    },
    /** Changes a handle. Undefined if the handle doesn't exist or the new one is taken. */
    rename({ handle, newHandle }: { handle: string; newHandle: string }) {
      const person = findByHandle(handle);
      if (person === undefined || findByHandle(newHandle) !== undefined || !handlePattern.test(newHandle)) {
        return undefined;
      }
      stored.value.handles[person.xUserId] = newHandle;
      stored.save();
      return { ...person, handle: newHandle };
    },
    /** Accounts that aren't seeded, newest first. */
    newcomers: () => allPeople().slice(seeded.length).reverse(),
    /**
     * Fields that replace those in X's response about an account. Each may be any text. They aren't stored in the
     * file.
     */
    sentFields: (xUserId: string) => sent.get(xUserId) ?? {},
    accountBlock: (xUserId: string) => blocked.get(xUserId),
    setAccountBlock({ handle, block }: { handle: string; block: AccountBlock | null }) {
      const { xUserId } = this.findOrOpenAccount(handle);
      if (block === null) blocked.delete(xUserId);
      else blocked.set(xUserId, block);
    },
    setSentFields({ handle, fields }: { handle: string; fields: Readonly<Record<string, string>> }) {
      sent.set(this.findOrOpenAccount(handle).xUserId, fields);
    },
  };
}

function nameFromHandle(handle: string): string {
  const parts = handle.split('_').filter((part) => part !== '');
  return parts.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`).join(' ') || handle;
}
