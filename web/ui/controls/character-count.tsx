export function CharacterCount({ length, max, unit }: { length: number; max: number; unit?: string }) {
  const className = length > max ? 'figures text-loss' : 'figures';
  return <span className={className}>{`${length}/${max}${unit === undefined ? '' : ` ${unit}`}`}</span>;
}
