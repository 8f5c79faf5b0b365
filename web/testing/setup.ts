import { configure } from '@testing-library/react';

// Waits end as soon as they succeed. A longer limit keeps tests from failing on a busy machine.
configure({ asyncUtilTimeout: 10_000 });
