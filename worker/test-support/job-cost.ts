/** Resources that one run of a job used. Times are in ms. */
export interface JobCost {
  readonly job: string;
  /** Requests to D1, KV, Durable Objects and other hosts. */
  readonly subrequests: number;
  readonly statements: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  /** The time that the job waited for D1, including the way there. */
  readonly d1Ms: number;
  readonly ms: number;
  /** The statement that read or wrote the most rows. */
  readonly largest: string;
  readonly outcome: string;
}
