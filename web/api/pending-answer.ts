const HTTP_ACCEPTED = 202;

export function isPending({ status }: { readonly status: number }): boolean {
  return status === HTTP_ACCEPTED;
}
