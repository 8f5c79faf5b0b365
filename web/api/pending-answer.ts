const HTTP_ACCEPTED = 202;

/** Whether the answer says to ask again later. The typed client doesn't know this status. */
export function isPending({ status }: { readonly status: number }): boolean {
  return status === HTTP_ACCEPTED;
}
