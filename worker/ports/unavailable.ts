/** A third party did not answer, or not in its own terms. The app answers 502 with words for `port`. */
export class PortUnavailableError extends Error {
  readonly port: 'identity' | 'chain' | 'tweets';
  /** Further fields of `error` in the answer: what can be done instead. Public. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    port: 'identity' | 'chain' | 'tweets',
    cause: unknown,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(`${port} is unavailable`, { cause });
    this.name = 'PortUnavailableError';
    this.port = port;
    this.details = details;
  }
}

/** An endpoint belongs to another cluster than ours. Until that is mended nothing of any endpoint is believed. The app answers 503. */
export class WrongClusterError extends Error {
  /** Which endpoint, by its part and never by its address. */
  readonly endpoint: string;

  constructor(endpoint: string) {
    super(`the ${endpoint} endpoint is on another cluster`);
    this.name = 'WrongClusterError';
    this.endpoint = endpoint;
  }
}
