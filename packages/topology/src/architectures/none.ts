import type { EnforcementArchitecture } from './architecture.ts';

export const none: EnforcementArchitecture = { points: () => [] };
