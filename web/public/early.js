// Runs before the first paint. A separate file, because the Content-Security-Policy allows no inline scripts.

try {
  // Without a choice, styles/tokens.css follows the system.
  var theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  // Somebody has signed in here or returns from signing in. The page's HTML is for visitors, so hide its buttons until
  // the app knows the user.
  if (localStorage.getItem('solcallers.user') || sessionStorage.getItem('solcallers.signing-in')) {
    document.documentElement.dataset.unsettled = '';
  }
  sessionStorage.removeItem('solcallers.signing-in');
} catch {
  // Storage is blocked.
}

// Remembers clicks until React listens to them (lib/early-clicks.ts).
window.earlyClicks = [];
addEventListener(
  'click',
  function (event) {
    if (window.earlyClicks) window.earlyClicks.push(event.target);
    try {
      if (event.target.closest('a[href^="/api/auth/twitter"]')) {
        sessionStorage.setItem('solcallers.signing-in', '1');
      }
    } catch {
      // Storage is blocked.
    }
  },
  true,
);
