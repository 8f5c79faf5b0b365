import { Problem } from './report.ts';

// Checks that responses have the members that docs/SEALED-CALLS.md describes. Other members are ignored.

export type Test = (value: unknown) => boolean;
export type Shape = Readonly<Record<string, Test>>;

export const isText: Test = (value) => typeof value === 'string';
export const isCount: Test = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
export const isHash: Test = (value) => typeof value === 'string' && /^[\w+/]{43}=$/.test(value);
export const isPrice: Test = (value) => typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);
export const nullable =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
export const isListOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);

export function has(value: unknown, shape: Shape | undefined): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || shape === undefined) return false;
  return Object.entries(shape).every(([member, test]) => test((value as Record<string, unknown>)[member]));
}

/** Returns a test for objects of this shape. */
export const objectOf =
  (shape: Shape): Test =>
  (value) =>
    has(value, shape);

export const isObject = objectOf({});

/** @throws Problem unless the value passes the test */
export function read<Type>(value: unknown, test: Test, name: string): Type {
  if (!test(value)) throw new Problem('malformed', `${name} isn't what the format describes.`);
  return value as Type;
}
