import type { TokenCall } from '#schema/contracts/calls.ts';

export const onlyActive = (calls: readonly TokenCall[]) => calls.filter(({ isActive }) => isActive);
export const onlyEnded = (calls: readonly TokenCall[]) => calls.filter(({ isActive }) => !isActive);
