/** Roles of a deployment: what configures them, and what runs them. */
export * from './role-configs.ts';
export * from './start-role.ts';
