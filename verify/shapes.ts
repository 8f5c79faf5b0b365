import { Problem } from './report.ts';

// Tests for the members of entries and responses.

export type Test = (value: unknown) => boolean;
export type Shape = Readonly<Record<string, Test>>;

export const isText: Test = (value) => typeof value === 'string';
export const isFlag: Test = (value) => typeof value === 'boolean';
export const isNumber: Test = (value) => typeof value === 'number';
export const isCount: Test = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
/** 32 bytes in base64. */
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

/** Tests for objects that have these members. Other members are ignored. */
export const objectOf =
  (shape: Shape): Test =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(shape).every(([member, test]) => test((value as Record<string, unknown>)[member]));

/** Tests for objects that have these members and no others. */
export const exactly =
  (shape: Shape): Test =>
  (value) =>
    objectOf(shape)(value) && Object.keys(value as object).length === Object.keys(shape).length;

/** @throws Problem unless the value passes the test */
export function read<Type>(value: unknown, test: Test, name: string): Type {
  if (!test(value)) throw new Problem('malformed', `${name} isn't what the format describes.`);
  return value as Type;
}
