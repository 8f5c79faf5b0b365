import { expect, test } from 'vitest';
import { samplePeople, seededPeopleCount, seededPerson } from './people.ts';
import { portraitPng } from './portrait.ts';

const allPeople = Array.from({ length: seededPeopleCount }, (_, index) => seededPerson(index));

test('seeded people have unique ids, and unique handles and names that X allows', () => {
  for (const { handle, name, xUserId } of allPeople) {
    expect(handle).toMatch(/^[A-Za-z0-9_]{1,15}$/);
    expect([...name].length, name).toBeLessThanOrEqual(50);
    expect(xUserId).toMatch(/^17\d{17}$/);
  }
  for (const key of ['handle', 'name', 'xUserId'] as const) {
    const values = allPeople.map((person) => person[key].toLowerCase());
    expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
  }
});

test('seeded people start with the sample people, are the same in every run, and are limited in number', () => {
  expect(samplePeople).toEqual(allPeople.slice(0, samplePeople.length));
  expect(seededPerson(100)).toEqual(seededPerson(100));
  expect(() => seededPerson(seededPeopleCount)).toThrow(RangeError);
  expect(() => seededPerson(-1)).toThrow(RangeError);
});

test('some seeded people have no image or no email, and every email address is undeliverable', () => {
  expect(allPeople.filter(({ avatar }) => avatar === undefined).length).toBeGreaterThan(10);
  expect(allPeople.filter(({ email }) => email === undefined).length).toBeGreaterThan(10);
  for (const { email } of allPeople) expect(email ?? 'none.example').toMatch(/\.example$/);
});

test('a portrait is the same for the same name and differs between names', async () => {
  const portrait = (name: string) => portraitPng({ name, size: 24 });
  expect(await portrait('one')).toEqual(await portrait('one'));
  expect(await portrait('one')).not.toEqual(await portrait('another'));
});
