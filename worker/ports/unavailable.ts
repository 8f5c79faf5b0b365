/** A third party failed or sent an unexpected response. The app returns 502 with a message for `port`. */
export class PortUnavailableError extends Error {
  readonly port: 'identity' | 'chain' | 'tweets';

  constructor(port: PortUnavailableError['port'], cause: unknown) {
    super(`${port} is unavailable`, { cause });
    this.name = 'PortUnavailableError';
    this.port = port;
  }
}

/** Something that users need doesn't work. `code` names the cause (schema/rules/text/alarm-texts.ts). */
export class OutageError extends Error {
  readonly code: string;

  constructor(code: string, cause?: unknown) {
    super(code, { cause });
    this.name = 'OutageError';
    this.code = code;
  }
}

/** For `catch`: the fallback if the third party is unavailable. Throws other errors again. */
export function ifUnavailable<Fallback>(fallback: Fallback): (error: unknown) => Fallback {
  return (error) => {
    if (error instanceof PortUnavailableError) return fallback;
    throw error;
  };
}

/** An endpoint is on the wrong cluster. No endpoint is used until that is fixed. The app returns 503. */
export class WrongClusterError extends Error {
  /** Example: 'primary'. Never the URL, because it may contain a key. */
  readonly endpoint: string;

  constructor(endpoint: string) {
    super(`the ${endpoint} endpoint is on another cluster`);
    this.name = 'WrongClusterError';
    this.endpoint = endpoint;
  }
}
