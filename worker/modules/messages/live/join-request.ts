export interface Joining {
  readonly userId: string;
  readonly sessionId: string;
  readonly address: string;
}

/** Only the worker can send requests to a hub, so the hub trusts these headers. */
export function createJoin({ userId, sessionId, address }: Joining): Request {
  const headers = { Upgrade: 'websocket', 'X-User': userId, 'X-Session': sessionId, 'X-Address': address };
  return new Request('https://hub/', { headers });
}

export function readJoin({ headers }: Request): Joining {
  const text = (name: string) => headers.get(name) ?? '';
  return { userId: text('X-User'), sessionId: text('X-Session'), address: text('X-Address') };
}
