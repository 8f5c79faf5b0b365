const HTTP_ACCEPTED = 202;

/** Whether a successful answer only says: not yet, ask again. The typed client does not know this status. */
export function isPending({ status }: { readonly status: number }): boolean {
  return status === HTTP_ACCEPTED;
}
