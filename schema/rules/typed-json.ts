declare const parsed: unique symbol;

/** JSON that our own SQL or `writeJson` has made, so that reading it needs no check. Its maker declares the type. */
export type JsonText<Value> = string & { readonly [parsed]: Value };

export function readJson<Value>(json: JsonText<Value>): Value;
export function readJson<Value>(json: JsonText<Value> | null): Value | null;
export function readJson(json: string | null): unknown {
  return JSON.parse(json ?? 'null');
}

export function writeJson<Value>(value: Value): JsonText<Value> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The type exists only for the compiler.
  return JSON.stringify(value) as JsonText<Value>;
}
