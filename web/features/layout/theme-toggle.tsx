import { useTheme, type Theme } from '#web/lib/browser/theme.ts';
import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';

const options = [
  { value: 'system', label: 'System' },
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
] as const satisfies readonly { value: Theme; label: string }[];

export function ThemeToggle() {
  const { theme, setTheme } = useTheme();
  return <SegmentedToggle label="Theme" value={theme} options={options} onValueChange={setTheme} />;
}
