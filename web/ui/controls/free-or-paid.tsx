import { SegmentedToggle, type SegmentedToggleProps } from './segmented-toggle.tsx';

export type Plan = 'free' | 'paid';

const PLANS = [
  { value: 'free', label: 'Free' },
  { value: 'paid', label: 'Paid' },
] as const;

export function FreeOrPaid(props: Omit<SegmentedToggleProps<Plan>, 'options' | 'className'>) {
  return <SegmentedToggle<Plan> {...props} options={PLANS} className="flex w-full" />;
}
