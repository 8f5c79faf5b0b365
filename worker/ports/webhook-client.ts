export interface WebhookPost {
  /** Identifies the event. Retries have the same id. */
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly body: string;
}

export interface WebhookClient {
  /** True if the server may send requests to this address, which a stranger chose. */
  isAllowed(url: string): boolean;
  /** Sends a signed request and returns the status. @throws without a response, or if the address isn't allowed */
  post(request: WebhookPost): Promise<number>;
}
