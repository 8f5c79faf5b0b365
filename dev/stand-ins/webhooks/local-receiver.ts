/** The local environment also sends webhooks to a receiver of yours at these origins. */
export const LOCAL_RECEIVERS = ['http://127.0.0.1:8799', 'http://localhost:8799'];
