/** The limits of an RPC provider's plan. */
export interface RpcPlan {
  /** Helius refuses JSON-RPC batches on its free plan. */
  readonly acceptsBatches: boolean;
  /** The longest list in one request. QuickNode's trial accepts five. */
  readonly maxItems: number;
}

const FREE_PLAN: RpcPlan = { acceptsBatches: false, maxItems: 5 };
/** The methods whose first parameter is a list that QuickNode limits by plan. */
const LIST_METHODS = new Set(['getSignatureStatuses', 'getMultipleAccounts']);

export type RpcLimits = ReturnType<typeof createRpcLimits>;

/** The free plans of Helius and QuickNode: the stand-in refuses a request if one of the two does. */
export function createRpcLimits(plan = FREE_PLAN) {
  return {
    /** Returns the provider's response to a request that the plan doesn't allow. */
    refuse(body: unknown) {
      if (Array.isArray(body)) return plan.acceptsBatches ? undefined : REFUSED_BATCH;
      const { id, method, params } = (body ?? {}) as { id?: unknown; method?: unknown; params?: unknown };
      const list: unknown = Array.isArray(params) ? params[0] : undefined;
      if (typeof method !== 'string' || !LIST_METHODS.has(method) || !Array.isArray(list)) return undefined;
      return list.length > plan.maxItems
        ? refuseList({ id: id ?? null, method, maxItems: plan.maxItems })
        : undefined;
    },
  };
}

const REFUSED_BATCH = {
  status: 403,
  response: {
    jsonrpc: '2.0',
    error: {
      code: -32403,
      message:
        'Batch requests are only available for paid plans. Please upgrade if you would like to gain access',
    },
  },
};

function refuseList({ id, method, maxItems }: { id: unknown; method: string; maxItems: number }) {
  const upgrade = 'upgrade from discover plan at quicknode.com to increase the limit';
  const error = { code: -32615, message: `${method} is limited to a ${maxItems} range, ${upgrade}` };
  return { status: 413, response: { jsonrpc: '2.0', id, error } };
}
