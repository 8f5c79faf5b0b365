// Sets the chosen theme before the first paint. Without a choice, styles/tokens.css follows the system. This is
// a separate file, because the Content-Security-Policy allows no inline scripts.
try {
  var theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked, so follow the system.
}
