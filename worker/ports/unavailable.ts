/** A third party did not answer, or not in its own terms. The app answers 502 with words for `port`. */
export class PortUnavailableError extends Error {
  readonly port: 'identity' | 'chain' | 'tweets';

  constructor(port: 'identity' | 'chain' | 'tweets', cause: unknown) {
    super(`${port} is unavailable`, { cause });
    this.name = 'PortUnavailableError';
    this.port = port;
  }
}
