interface RequestParts {
  readonly param?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly json?: unknown;
}

type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Hono's `hc` in a quarter of its size: `requests.api.callers[':id'].$get({ param: { id } })`. */
export const createRequests = (send: Send): unknown => requestsBelow('', send);

function requestsBelow(path: string, send: Send): unknown {
  return new Proxy(
    {},
    {
      get(_target, name) {
        const part = String(name);
        if (!part.startsWith('$')) return requestsBelow(`${path}/${part}`, send);
        const method = part.slice(1).toUpperCase();
        return (parts: RequestParts = {}) => send(urlOf(path, parts), initOf(method, parts));
      },
    },
  );
}

function urlOf(path: string, { param = {}, query = {} }: RequestParts): string {
  const filled = path.replace(/:(\w+)/g, (whole, name: string) => param[name] ?? whole);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  return search.size === 0 ? filled : `${filled}?${search}`;
}

function initOf(method: string, { json }: RequestParts): RequestInit {
  const init: RequestInit = { method, credentials: 'include' };
  if (json === undefined) return init;
  return { ...init, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(json) };
}
