// Runs before the first paint. A separate file, because the Content-Security-Policy allows no inline scripts.

try {
  // Without a choice, styles/tokens.css follows the system.
  var theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked.
}

// Somebody may be signed in here (web/api/signed-in-flag.ts). The page's HTML is for visitors, so hide its buttons until the
// app knows the user.
if (/(?:^|; )(?:__Host-)?signed-in=/.test(document.cookie)) document.documentElement.dataset.unsettled = '';

// Remembers clicks until React listens to them (lib/early-clicks.ts).
window.earlyClicks = [];
addEventListener(
  'click',
  function (event) {
    if (window.earlyClicks) window.earlyClicks.push(event.target);
  },
  true,
);
