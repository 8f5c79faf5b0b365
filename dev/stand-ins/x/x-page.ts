import { pageShell, type Markup } from '../controls/page-shell.ts';

export function xPage(page: { title: string; style?: string; body: Markup }): Markup {
  return pageShell({ ...page, notice: 'This is a local stand-in for X. Nothing leaves this machine.' });
}
