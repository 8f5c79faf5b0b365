/** The local environment also sends webhooks to a receiver of yours at this origin. */
export const LOCAL_RECEIVER = 'http://127.0.0.1:8799';
