import { Problem } from './report.ts';

// Tests of unknown values, with the types that follow from them.

/** Stands for any version with members that this verifier may not know. */
const NEWER = Infinity;

/** @param version the version of the entry that has the value; only objects of the log have one */
export type Test<Type = unknown> = (value: unknown, version?: number) => value is Type;
export type Of<Some> = Some extends Test<infer Type> ? Type : never;
type Shape = Readonly<Record<string, Test>>;
type Shaped<Members extends Shape> = { readonly [Name in keyof Members]: Of<Members[Name]> };

/** For a member that is checked where it's used. */
export const isAny = (value: unknown): value is unknown => Object.is(value, value);
export const isText = (value: unknown): value is string => typeof value === 'string';
export const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
export const isNumber = (value: unknown): value is number => typeof value === 'number';
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
/** Unix ms that a Date can show. */
export const isTime = (value: unknown): value is number => isCount(value) && value <= 8.64e15;
/** 32 bytes in base64. */
export const isHash = (value: unknown): value is string => isText(value) && /^[\w+/]{43}=$/.test(value);
export const isPrice = (value: unknown): value is string =>
  isText(value) && /^\d+(\.\d+)?$/.test(value) && Number.isFinite(Number(value));
export const isPositivePrice = (value: unknown): value is string => isPrice(value) && Number(value) > 0;
export const is =
  <Text extends string>(text: Text) =>
  (value: unknown): value is Text =>
    value === text;
export const nullable =
  <Type>(test: Test<Type>) =>
  (value: unknown, version?: number): value is Type | null =>
    value === null || test(value, version);
export const listOf =
  <Type>(test: Test<Type>) =>
  (value: unknown, version?: number): value is readonly Type[] =>
    Array.isArray(value) && value.every((each) => test(each, version));
export const anyOf =
  <Tests extends readonly Test[]>(...tests: Tests) =>
  (value: unknown, version?: number): value is Of<Tests[number]> =>
    tests.some((test) => test(value, version));

/** Tests for objects that have these members. Other members are ignored. */
export const objectOf =
  <Members extends Shape>(shape: Members) =>
  (value: unknown, version?: number): value is Shaped<Members> =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(shape).every(([name, test]) => test(Reflect.get(value, name), version));

/** Tests for objects that have these members and no others. In newer versions, they may have others. */
export const exactly =
  <Members extends Shape>(shape: Members) =>
  (value: unknown, version?: number): value is Shaped<Members> =>
    objectOf(shape)(value, version) &&
    (version === NEWER || Object.keys(value).every((name) => Object.hasOwn(shape, name)));

export const isAbsent = (value: unknown): value is undefined => value === undefined;
export const optional = <Type>(test: Test<Type>) => anyOf(isAbsent, test);
export const isVersion = (value: unknown): value is number => isCount(value) && value >= 1;

/** Tests for a member that a version added. It must be undefined in earlier versions. */
export const since =
  <Type>(first: number, test: Test<Type>) =>
  (value: unknown, version = first): value is Type | undefined =>
    version < first ? value === undefined : test(value, version);

/** Tests for objects whose member `v` is their version. @param newest the newest version that the test knows */
export const versioned =
  <Type>(newest: number, test: Test<Type>) =>
  (value: unknown): value is Type =>
    objectOf({ v: isVersion })(value) && test(value, value.v > newest ? NEWER : value.v);

/** @throws Problem unless the value passes the test */
export function read<Type>(value: unknown, test: Test<Type>, name: string): Type {
  if (test(value)) return value;
  throw new Problem('malformed', `${name}: not what the format describes.`);
}
