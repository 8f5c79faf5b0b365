import { SegmentedToggle, type SegmentedToggleProps } from './segmented-toggle.tsx';

export type Plan = 'free' | 'paid';

const PLANS = [
  { value: 'free', label: 'Free' },
  { value: 'paid', label: 'Paid' },
] as const;

export function FreeOrPaid(props: Pick<SegmentedToggleProps<Plan>, 'value' | 'onValueChange'>) {
  return <SegmentedToggle<Plan> {...props} label="Free or paid" options={PLANS} className="flex w-full" />;
}
