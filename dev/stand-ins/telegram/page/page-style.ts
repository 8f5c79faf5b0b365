export const chatStyle = `
.chat-header { position: sticky; top: 0; z-index: 1; display: flex; gap: 12px; align-items: center; margin: -24px -16px 0; padding: 8px 16px; border-bottom: 1px solid var(--line); background: var(--surface); }
.chat-header h1 { margin: 0; font-size: 17px; }
.chat-header p { margin: 0; }
.avatar { flex: none; width: 40px; height: 40px; border-radius: 50%; background: var(--accent); color: var(--on-accent); font-weight: 600; line-height: 40px; text-align: center; }
ol.messages { display: grid; gap: 6px; margin: 16px 0; padding: 0; list-style: none; }
ol.messages li { justify-self: start; width: fit-content; min-width: 96px; max-width: 88%; overflow-wrap: anywhere; }
ol.messages li.own { justify-self: end; }
ol.messages li.wide { width: 88%; }
ol.messages li.service { justify-self: center; padding: 4px 12px; border-radius: 12px; background: var(--line); font-size: 14px; text-align: center; }
.bubble { overflow: hidden; padding: 6px 10px 4px; border-radius: 14px; border: 1px solid var(--line); background: var(--surface); }
.own .bubble { background: var(--bubble); }
.bubble p { margin: 0; white-space: pre-wrap; }
.bubble img { display: block; width: calc(100% + 20px); max-width: none; margin: 4px -10px 6px; }
.bubble img:first-child { margin-top: -6px; }
.sender { color: var(--accent); font-size: 14px; font-weight: 600; }
.replied { display: block; margin: 2px 0; padding-left: 8px; border-left: 3px solid var(--accent); color: var(--muted); font-size: 14px; }
.meta { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; justify-content: end; color: var(--muted); font-size: 12px; }
.meta form { margin-right: auto; }
.meta button { min-height: 24px; padding: 0 6px; border: 0; background: none; color: var(--muted); font-size: 12px; font-weight: 400; text-decoration: underline; }
.keyboard { display: grid; gap: 4px; margin-top: 4px; }
.keyboard > div { display: grid; grid-auto-columns: 1fr; grid-auto-flow: column; gap: 4px; }
.keyboard .button, .keyboard button { width: 100%; padding: 0 8px; border-radius: 10px; font-size: 15px; }
form { margin: 8px 0; }
.keyboard form, .meta form { margin: 0; }
h2 { margin: 16px 0 8px; font-size: 16px; }
form.new { flex-wrap: wrap; } form.new input { flex-basis: 100%; }
.composer { position: sticky; bottom: 0; margin: 0 -16px; padding: 8px 16px; border-top: 1px solid var(--line); background: var(--ground); }
[role=status]:not(:empty) { margin: 8px 0; padding: 8px 12px; border-radius: 8px; border: 1px solid var(--line); background: var(--surface); }
details { margin: 16px 0; } summary { min-height: 44px; line-height: 44px; cursor: pointer; font-weight: 600; }
fieldset { margin: 12px 0; padding: 8px 12px; border: 1px solid var(--line); border-radius: 8px; }
fieldset label { display: flex; gap: 8px; align-items: center; min-height: 32px; margin: 0; font-weight: 400; }
fieldset label input[type=checkbox] { width: 18px; min-height: 18px; }
ul.plain { display: grid; gap: 8px; margin: 8px 0; padding: 0; list-style: none; }
ul.plain li { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; justify-content: space-between; overflow-wrap: anywhere; }
ul.plain form { margin: 0; }
`;

const POLL_MS = 1500;
/** Shows new messages without a reload, which would lose a text that's being typed. */
export const chatScript = `
addEventListener('load', () => location.hash === '' && scrollTo(0, document.body.scrollHeight));
setInterval(async () => {
  const page = new DOMParser().parseFromString(await (await fetch(location)).text(), 'text/html');
  for (const selector of ['ol.messages', '[role=status]']) {
    const [shown, current] = [document, page].map((each) => each.querySelector(selector));
    if (shown && current && shown.innerHTML !== current.innerHTML) shown.innerHTML = current.innerHTML;
  }
}, ${POLL_MS});`;
