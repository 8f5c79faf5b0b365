/** What workerd has of it (`nodejs_compat`), without the rest of Node's types, which clash with workerd's. */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<Store> {
    run<Result>(store: Store, act: () => Result): Result;
    getStore(): Store | undefined;
  }
}
