/**
 * On a phone, the close button of the page's dialogs is at the top right, so the wallet's button moves to the
 * left.
 */
export const pageStyles = `
body:has([role="dialog"], [role="alertdialog"]) > local-wallet { --local-wallet-inset: 2px auto auto 4px; --local-wallet-layer: 55; }
`;

export const walletStyles = `
:host, :root { --ground: light-dark(#fffefb, #171c27); --text: light-dark(#16181d, #eceef3); --muted: light-dark(#5b606b, #9aa1b0);
  --line: light-dark(#d3d0c7, #343c4f); --accent: light-dark(#1f4fd8, #86a6ff); --on-accent: light-dark(#fff, #0e1118);
  --warn: light-dark(#8a4b00, #ffc069); font: 14px/1.45 system-ui, sans-serif; color: var(--text); }
*, *::before { box-sizing: border-box; }
[hidden] { display: none !important; }
button { display: inline-flex; align-items: center; justify-content: center; gap: 8px; min-height: 44px; padding: 0 14px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--ground); color: var(--text); font: inherit; font-weight: 600; cursor: pointer; }
button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
button:disabled { opacity: .6; cursor: default; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.corner { position: fixed; z-index: 2147483000; bottom: max(8px, env(safe-area-inset-bottom)); left: 8px; }
.pill { border-radius: 22px; padding: 0 9px; opacity: .92; box-shadow: 0 1px 6px rgb(0 0 0 / .18); font-variant-numeric: tabular-nums; }
.pill img { width: 24px; height: 24px; }
.pill span { display: none; }
/* On a phone the product's own buttons are at the bottom, where the thumb is. */
@media (max-width: 639px) { .corner { inset: var(--local-wallet-inset, 68px 6px auto auto); z-index: var(--local-wallet-layer, 2147483000); } }
@media (min-width: 640px) { .pill span { display: inline; padding-right: 5px; } }
.panel { width: min(288px, calc(100vw - 16px)); padding: 12px; border: 1px solid var(--line); border-radius: 12px;
  background: var(--ground); box-shadow: 0 4px 20px rgb(0 0 0 / .22); }
.panel header { display: flex; align-items: center; justify-content: space-between; }
.panel header button { min-width: 44px; border: 0; background: none; font-size: 20px; }
h2 { margin: 0; font-size: 16px; }
.balance { margin: 4px 0 0; font-size: 22px; font-weight: 600; font-variant-numeric: tabular-nums; }
.muted { margin: 0 0 8px; color: var(--muted); }
.stack { display: grid; gap: 8px; }
.status { min-height: 20px; margin: 8px 0 0; color: var(--muted); }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
dialog { width: min(400px, calc(100vw - 24px)); height: min(480px, calc(100dvh - 24px)); padding: 0; border: 1px solid var(--line);
  border-radius: 14px; background: var(--ground); overflow: hidden; }
dialog::backdrop { background: rgb(0 0 0 / .5); }
dialog iframe { display: block; width: 100%; height: 100%; border: 0; }
.approval { display: flex; flex-direction: column; height: 100dvh; margin: 0; padding: 16px; background: var(--ground); }
.approval main { flex: 1; min-height: 0; overflow-y: auto; }
.approval footer { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; padding-top: 12px; }
.approval pre { margin: 8px 0; padding: 12px; border: 1px solid var(--line); border-radius: 8px; font: 13px/1.5 ui-monospace, monospace;
  white-space: pre-wrap; overflow-wrap: anywhere; }
.leaving { margin: 12px 0; font-size: 26px; font-weight: 600; font-variant-numeric: tabular-nums; }
ul { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
li { padding: 8px 0; border-bottom: 1px solid var(--line); }
li b { font-variant-numeric: tabular-nums; }
.warn { color: var(--warn); font-weight: 600; }
`;
