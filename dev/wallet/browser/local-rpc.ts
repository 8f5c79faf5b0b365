export type LocalRpc = ReturnType<typeof createLocalRpc>;

export function createLocalRpc(url: string) {
  let lastId = 0;

  async function call(method: string, params: readonly unknown[]): Promise<unknown> {
    lastId += 1;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }),
    });
    const body: { result?: unknown; error?: { message: string } } = await response.json();
    if (body.error !== undefined) throw new Error(body.error.message);
    return body.result;
  }

  return {
    async balance(address: string) {
      const result = await call('getBalance', [address, { commitment: 'confirmed' }]);
      if (typeof result !== 'object' || result === null || !('value' in result)) {
        throw new Error('The local chain returned no balance.');
      }
      return BigInt(Number(result.value));
    },
    async airdrop({ address, lamports }: { address: string; lamports: bigint }) {
      return String(await call('requestAirdrop', [address, Number(lamports)]));
    },
    /** Returns the signature in base58. */
    async send(transaction: Uint8Array) {
      const base64 = btoa(String.fromCharCode(...transaction));
      return String(await call('sendTransaction', [base64, { encoding: 'base64' }]));
    },
  };
}
