import { configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// Waits end as soon as they succeed. A longer limit keeps tests from failing on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

// Drafts outlive a component, but not a test.
afterEach(() => sessionStorage.clear());
