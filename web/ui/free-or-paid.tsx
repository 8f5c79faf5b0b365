import { SegmentedToggle } from './segmented-toggle.tsx';

export type Plan = 'free' | 'paid';

const PLANS = [
  { value: 'free', label: 'Free' },
  { value: 'paid', label: 'Paid' },
] as const;

export interface FreeOrPaidProps {
  label: string;
  value: Plan;
  onValueChange: (plan: Plan) => void;
}

export function FreeOrPaid(props: FreeOrPaidProps) {
  return <SegmentedToggle<Plan> {...props} options={PLANS} className="flex w-full" />;
}
