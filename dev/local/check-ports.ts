import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Settings } from '../settings.ts';

/** @throws Error that names the variable to change when a port is taken */
export async function checkPorts({ port, solanaPort, standInsPort }: Settings): Promise<void> {
  const needed = [
    { name: 'PORT', port, use: 'the product' },
    { name: 'SOLANA_PORT', port: solanaPort, use: 'Solana JSON-RPC' },
    { name: 'SOLANA_PORT', port: solanaPort + 1, use: "Solana's WebSocket, always one above SOLANA_PORT" },
    { name: 'STAND_INS_PORT', port: standInsPort, use: 'the other stand-ins' },
  ];
  for (const { name, port: wanted, use } of needed) {
    if (await isPortTaken(wanted)) {
      throw new Error(
        `Port ${wanted} (${use}) is taken. Stop the other program, or choose another port: ` +
          `${name}=${wanted + 100} npm start`,
      );
    }
  }
}

export async function isPortTaken(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return false;
  } catch {
    return true;
  } finally {
    server.close();
  }
}
