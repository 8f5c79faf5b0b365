import { ID_PATTERN } from '#worker/shared/ids.ts';
import type { Requested, Reply, Viewer } from './client.ts';

export interface WatchedCall {
  readonly callerId: string;
  readonly isFree: boolean;
  /** A unique word in the call's thesis and updates. */
  readonly word: string;
  id: string | undefined;
  /** True once the caller has requested the end of the call. */
  mayBePublic: boolean;
}

const NAMES = RegExp(`(?<![\\da-z])${ID_PATTERN}(?![\\da-z])|soakword\\d+`, 'g');

/** Reports every active call that a response or message reveals to a viewer without access. */
export function createHiddenCalls(report: (violation: string) => void) {
  const calls = new Map<string, WatchedCall>();
  const access = new Set<string>();
  let words = 0;

  const maySee = ({ callerId, isFree, mayBePublic }: WatchedCall, viewerId: string | null) =>
    mayBePublic ||
    (viewerId !== null && (isFree || viewerId === callerId || access.has(`${viewerId} ${callerId}`)));

  function findLeak(text: string, viewerId: string | null, ignored = ''): string | undefined {
    return [...new Set(text.match(NAMES))].find((name) => {
      const call = calls.get(name);
      return call !== undefined && !ignored.includes(name) && !maySee(call, viewerId);
    });
  }

  return {
    /** Starts to watch a call before it is opened, because the response may be lost. */
    add(call: Pick<WatchedCall, 'callerId' | 'isFree'>): WatchedCall {
      const word = `soakword${(words += 1)}`;
      const watched: WatchedCall = { ...call, word, id: undefined, mayBePublic: false };
      calls.set(word, watched);
      return watched;
    },
    opened(call: WatchedCall, id: string): void {
      call.id = id;
      calls.set(id, call);
    },
    listHidden: () =>
      [...calls.values()].filter(
        ({ id, mayBePublic, isFree }) => id !== undefined && !mayBePublic && !isFree,
      ),
    /** Records that the user may now see this caller's active calls. */
    allow: (userId: string, callerId: string) => void access.add(`${userId} ${callerId}`),
    /** Ignores a call id in the path, because the viewer knows it already. */
    inspect({ path, method = 'GET', viewer }: Requested, { text }: Reply): void {
      const leak = findLeak(text, viewer.id ?? null, path);
      if (leak !== undefined) report(`${method} ${path} shows the hidden call ${leak} to ${nameOf(viewer)}`);
    },
    inspectMessage(text: string, viewerId: string | null): void {
      const leak = findLeak(text, viewerId);
      if (leak !== undefined) report(`a Telegram message shows the hidden call ${leak} to ${viewerId}`);
    },
  };
}

export type HiddenCalls = ReturnType<typeof createHiddenCalls>;

const nameOf = ({ id, address }: Viewer) => id ?? `a visitor at ${address}`;
