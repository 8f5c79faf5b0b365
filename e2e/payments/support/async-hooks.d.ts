/** The part of node:async_hooks that workerd has. Node's own types would clash with workerd's. */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<Store> {
    run<Result>(store: Store, act: () => Result): Result;
    getStore(): Store | undefined;
  }
}
