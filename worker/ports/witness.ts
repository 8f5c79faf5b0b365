export interface WitnessResponse {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: string;
}

/** A witness of the log (https://c2sp.org/tlog-witness). */
export interface WitnessPort {
  /**
   * @param url the witness's submission prefix. @throws if it doesn't respond in time, or if the response is too large
   */
  addCheckpoint(url: string, request: string): Promise<WitnessResponse>;
}
