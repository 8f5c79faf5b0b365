const HTTP_ACCEPTED = 202;

/**
 * Tells whether the response is a 202, which means "ask again later". The typed client doesn't know this
 * status.
 */
export function isPending({ status }: { readonly status: number }): boolean {
  return status === HTTP_ACCEPTED;
}
