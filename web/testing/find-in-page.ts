import { fireEvent, screen, within } from '@testing-library/react';
import { expect } from 'vitest';

/** Returns the texts of elements in order, with plain spaces instead of non-breaking and narrow ones. */
export function textsOf(elements: Iterable<Element>): string[] {
  return [...elements].map(({ textContent }) => textContent.replace(/[\u00a0\u2009\u202f]/g, ' '));
}

/** Returns a link's `href` exactly as written. */
export function hrefOf(name: string | RegExp, element = document.body): string | null {
  return within(element).getByRole('link', { name }).getAttribute('href');
}
export async function findHref(name: string | RegExp): Promise<string | null> {
  return (await screen.findByRole('link', { name })).getAttribute('href');
}

/** Expects a link to another site, which opens in a new tab and gets no access to this page. */
export function expectNewTab(name: string | RegExp, href: string, element = document.body): void {
  const link = within(element).getByRole('link', { name });
  const attributes = ['href', 'target', 'rel'].map((attribute) => link.getAttribute(attribute));
  expect(attributes).toEqual([href, '_blank', 'noopener noreferrer']);
}

/** Returns the titles of all sections, joined by commas. */
export const sectionTitles = () => textsOf(screen.getAllByRole('heading', { level: 2 })).join(', ');

/** Returns the card or section below a heading of level 2. */
export function sectionOf(title: string): HTMLElement {
  return sectionAround(screen.getByRole('heading', { level: 2, name: title }));
}
export async function findSection(title: string): Promise<HTMLElement> {
  return sectionAround(await screen.findByRole('heading', { level: 2, name: title }));
}
function sectionAround(heading: HTMLElement): HTMLElement {
  return heading.closest('section') ?? failMissing();
}

export const buttonOf = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
export function click(name: string | RegExp): void {
  fireEvent.click(buttonOf(name));
}
export async function findAndClick(name: string | RegExp): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name }));
}

/** Returns the titles of a table's columns, joined by commas. */
export const columnsOf = (table: HTMLElement) =>
  textsOf(within(table).getAllByRole('columnheader')).join(', ');
export const cellsOf = (row: HTMLElement | undefined) =>
  textsOf(within(row ?? failMissing()).getAllByRole('cell'));
/** Waits for a table, and returns its rows without the header. */
export async function findRows(table: string): Promise<HTMLElement[]> {
  return within(await screen.findByRole('table', { name: table }))
    .getAllByRole('row')
    .slice(1);
}
/** Waits for a list, and returns its items. */
export async function findItems(list: string): Promise<HTMLElement[]> {
  return within(await screen.findByRole('list', { name: list })).getAllByRole('listitem');
}

function failMissing(): never {
  throw new Error('The element is missing.');
}
