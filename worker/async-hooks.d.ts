/* The part of workerd's node:async_hooks in use. @types/node would add Node's globals, which workerd lacks. */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<Store> {
    getStore(): Store | undefined;
    run<Result>(store: Store, callback: () => Result): Result;
  }
}
